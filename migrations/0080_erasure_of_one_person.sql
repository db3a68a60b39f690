-- What a person chose as a name or an address must not erase anything of others: an address that is a part of theirs, a name that is a
-- common phrase, or one that reads as JSON. Module: features/erasures. `erase_in_audit_log` stays for the release before.

-- The address as a whole, wherever it stands in a text.
create function whole_address(address text) returns text language sql immutable parallel safe as $$
  select '(?<![[:alnum:]._%+-])' || regexp_replace(address, '([][\\.^$*+?(){}|-])', '\\\1', 'g') || '(?![[:alnum:]-])(?!\.[[:alnum:]])';
$$;

-- The address, and each of these names as whole words.
create function person_pattern(address text, full_names text[]) returns text language sql immutable parallel safe as $$
  select string_agg(part, '|') from (
    select whole_address(address) as part
    union all
    select '(?<![[:alnum:]_])' || regexp_replace(name, '([][\\.^$*+?(){}|-])', '\\\1', 'g') || '(?![[:alnum:]_])'
      from unnest(full_names) as given (name) where name <> '') parts;
$$;

-- Only texts change, so it stays JSON.
create function erased_json(content jsonb, pattern text) returns jsonb language sql immutable parallel safe as $$
  select case jsonb_typeof(content)
    when 'string' then to_jsonb(regexp_replace(content #>> '{}', pattern, 'erased', 'gi'))
    when 'array' then (select coalesce(jsonb_agg(erased_json(item, pattern) order by place), '[]')
                         from jsonb_array_elements(content) with ordinality as items (item, place))
    when 'object' then (select coalesce(jsonb_object_agg(field, erased_json(item, pattern)), '{}') from jsonb_each(content) as fields (field, item))
    else content end;
$$;

-- Lines that name the address, and lines of or about the person; of these alone the names go, too.
create function erase_person_in_audit_log(person bigint, address text, full_names text[]) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed integer;
begin
  if length(address) < 3 or position('@' in address) = 0 then
    raise exception 'not an address' using errcode = '22023';
  end if;
  alter table audit_log disable trigger audit_log_append_only;
  update audit_log a
     set details = erased_json(details, person_pattern(address, full_names)),
         object_id = regexp_replace(object_id, whole_address(address), 'erased', 'gi'),
         ip = case when actor_id = person then null else ip end
   where (actor_id = person and ip is not null)
      or details::text ~* whole_address(address) or object_id ~* whole_address(address)
      or ((actor_id = person or (object_type = 'user' and object_id = person::text) or details ->> 'user_id' = person::text)
          and erased_json(details, person_pattern(address, full_names)) <> details);
  get diagnostics changed = row_count;
  alter table audit_log enable trigger audit_log_append_only;
  return changed;
end $$;
