-- Lines of the audit log are never changed, with one exception: when a person's data is erased, their address and name in what lines
-- tell become "erased", and the network addresses they acted from go. Who did what to which thing stays. Module: features/erasures.
create function erase_in_audit_log(person bigint, address text, full_name text) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed integer;
  pattern text := regexp_replace(address, '([^A-Za-z0-9@_])', '\\\1', 'g')
    || case when full_name = '' then '' else '|' || regexp_replace(full_name, '([^A-Za-z0-9_[:space:]])', '\\\1', 'g') end;
begin
  if length(address) < 3 or position('@' in address) = 0 then
    raise exception 'not an address' using errcode = '22023';
  end if;
  alter table audit_log disable trigger audit_log_append_only;
  update audit_log
     set details = regexp_replace(details::text, pattern, 'erased', 'gi')::jsonb,
         object_id = regexp_replace(object_id, pattern, 'erased', 'gi'),
         ip = case when actor_id = person then null else ip end
   where (actor_id = person and ip is not null) or details::text ~* pattern or object_id ~* pattern;
  get diagnostics changed = row_count;
  alter table audit_log enable trigger audit_log_append_only;
  return changed;
end $$;
