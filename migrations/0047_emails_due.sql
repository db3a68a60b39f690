-- Emails are taken from the outbox itself, without a job of the queue for each. Module: platform/mail.
alter table mail_outbox
  -- Not sent before. A worker that takes an email moves it a little, so that it is taken again should that worker
  -- die. 'infinity' when it is given up. Processes of the version before do not name it.
  add column due_at timestamptz not null default now();

update mail_outbox set due_at = 'infinity'
 where sent_at is null and held_for is null and created_at < now() - interval '4 days';

create index mail_outbox_due on mail_outbox (due_at) where sent_at is null and held_for is null;

-- Workers of the version before would send the same emails from their jobs. There are no jobs before the first start.
do $$
begin
  if to_regclass('pgboss.job') is not null then
    delete from pgboss.job where name in ('mail.send', 'mail.sweep');
  end if;
end $$;
