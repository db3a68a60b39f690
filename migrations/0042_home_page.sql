-- Whose galleries the product's home page may show (decision 52): only those that a platform admin ticked. Module: features/organizations.
alter table organizations
  add column shown_on_home_page boolean not null default false;

-- The home page asks for these few among all organizations.
create index organizations_on_home_page on organizations (id) where shown_on_home_page and deleted_at is null;

-- A demo that was filled before this column existed keeps its examples.
update organizations o
   set shown_on_home_page = true
  from organizations parent
 where parent.id = o.parent_organization_id
   and exists (select from house_marks where name = 'demo complete')
   and (parent.domain_name, o.domain_name) in (('lakeside', 'hawks-soccer'), ('lakeside', 'tides-swim'));
