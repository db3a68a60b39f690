-- "Talk to an expert" (specification P§2.4): what people ask before they sign up. Room: features/marketing.
create table expert_questions (
  id bigint generated always as identity primary key,
  -- The organisation on whose host it was asked.
  organization_id bigint not null references organizations,
  first_name text not null check (char_length(first_name) between 1 and 100),
  last_name text not null check (char_length(last_name) between 1 and 100),
  email citext not null check (char_length(email::text) between 3 and 254),
  phone_number text not null check (char_length(phone_number) between 1 and 40),
  company_name text not null check (char_length(company_name) between 1 and 200),
  question text not null check (char_length(question) between 1 and 4000),
  created_at timestamptz not null default now()
);

-- Of nobody's tenant: only the house itself writes and reads them.
alter table expert_questions enable row level security;
create policy expert_questions_scope on expert_questions using ((select app_is_system()));

-- Where an answer to a letter goes, when not to its sender.
alter table mail_outbox add column reply_to citext;
