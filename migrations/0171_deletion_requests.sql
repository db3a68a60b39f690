-- People ask that their own account be deleted (decision record 0180). Modules: features/sign-in, features/erasures.

-- Open ones only: whoever withdraws theirs, or is erased, has none. The audit log has what happened.
create table deletion_requests (
  user_id bigint primary key references users,
  asked_at timestamptz not null default now()
);
alter table deletion_requests enable row level security;
create policy deletion_requests_scope on deletion_requests using ((select app_is_system()));
