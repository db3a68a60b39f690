-- "None of them is in these 40" stays said: a tag that is added and taken back does not hold a released photo again (decision record 0136).
-- Modules: features/tagging, features/consent.

-- `checked`: somebody found nobody to name. `released`: a member said that none of the children who must not be published is on the photo;
-- it still waits for its tags.
alter table photo_checks
  add column checked boolean not null default true,
  add column released boolean not null default false,
  add constraint photo_checks_says check (checked or released);

-- As before (0125), and what was released was said of the teams that played then: with another team the photo waits again, and so does who
-- looks at the old number of photos (`through`): rows of holds are locked, which a release locks, too.
create or replace function follow_gallery_teams() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held bigint[] := array(
    select distinct g.gallery_id
      from changed g join entries e on e.team_id = g.team_id and e.left_on is null join athletes a on a.id = e.athlete_id
      left join athlete_settings s on s.organization_id = g.organization_id
     where effective_consent(a.consent, s.unknown_consent) <> 'yes');
begin
  if held <> '{}' then
    perform from photo_withholdings w join photos p on p.id = w.photo_id and p.organization_id = w.organization_id
      where p.gallery_id = any (held) and w.cause = 'hold' order by w.photo_id for update of w;
    update photo_withholdings w set at = clock_timestamp()
      from photos p where p.gallery_id = any (held) and w.photo_id = p.id and w.organization_id = p.organization_id and w.cause = 'hold';
    delete from photo_checks where gallery_id = any (held) and released and not checked;
    update photo_checks set released = false where gallery_id = any (held) and released;
    perform hold_unseen(held);
    perform from galleries where id = any (held) order by id for no key update;
    perform hold_unseen(held);
  end if;
  return null;
end $$;
