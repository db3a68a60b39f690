-- The request that an email came from, for its log lines, its header and its trace. Null: none, or queued by the version before.
-- Module: platform/mail.
alter table mail_outbox
  add column request_id text,
  -- The span of the request, as W3C Trace Context writes it; null where traces were off.
  add column traceparent text;
