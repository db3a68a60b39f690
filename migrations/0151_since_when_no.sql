-- Since when the present consent of an athlete holds. `consent_at` is when it was said last: a family that says `no` once more must not
-- put what came since into passes that are sold (decision record 0114). Modules: features/roster, features/order-offers.
alter table athletes add column consent_since timestamptz;

create function keep_consent_since() returns trigger language plpgsql as $$
begin
  new.consent_since := case when new.consent <> old.consent then new.consent_at else coalesce(old.consent_since, old.consent_at) end;
  return new;
end $$;
create trigger athletes_consent_since before update of consent, consent_at on athletes for each row execute function keep_consent_since();

-- As before (0136), by the first time that it was said.
create or replace function own_no_since(photo bigint, child bigint) returns timestamptz language sql stable as $$
  select coalesce(a.consent_since, a.consent_at) from athletes a
   where a.id = child and a.consent = 'no'
     and exists (select from photo_withholdings w where w.photo_id = photo and w.show_after)
     and not exists (select from photo_withholdings w where w.photo_id = photo and (w.cause <> 'consent' or w.source_id <> child))
$$;
