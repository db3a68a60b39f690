-- Proof of the e-mail address (decision 53). Modules: features/accounts, platform/mail.

alter table users
  -- When its owner followed a link that was mailed to the address; null: never, so somebody else may have signed up with it.
  add column email_proven_at timestamptz;

-- Proven among those who are here already: someone an operator made a platform admin; someone who chose a password by a mailed link
-- (the letter that told them so is keyed by the link's hash); the accounts of the demo, whose addresses nobody can own.
update users u set email_proven_at = now()
 where u.role_id = 2
    or u.email in ('coach@hawks.test', 'swim@tides.test', 'director@lakeside.test', 'pto@maple.test')
    or exists (select from mail_outbox m where m.recipient = u.email and m.dedupe_key ~ '^password-changed:[0-9a-f]{64}$');

-- Access that was given to an address that is not proven: it begins when a password is chosen by a mailed link.
create table membership_invitations (
  user_id bigint not null references users,
  organization_id bigint not null references organizations,
  -- As whoever gave the access wrote them: the account's own may be a stranger's.
  first_name text not null,
  last_name text not null,
  invited_by bigint not null references users,
  created_at timestamptz not null default now(),
  primary key (user_id, organization_id)
);
create index membership_invitations_organization on membership_invitations (organization_id);

alter table mail_outbox
  -- Written on behalf of someone whose address is not proven; it is sent when that is done.
  add column held_for bigint references users;
create index mail_outbox_held on mail_outbox (held_for) where held_for is not null;
