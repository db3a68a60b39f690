-- How clearly a watermark of text is seen (decision 57). Module: features/organizations.
alter table organizations
  add column watermark_strength text not null default 'normal' check (watermark_strength in ('light', 'normal', 'strong'));
