-- An allowance that was given by mistake can be taken back: 0 photos, while none is used (athletes specification B.8). Module:
-- features/allowances.
alter table allowances drop constraint allowances_photos_check, add constraint allowances_photos_check check (photos between 0 and 200);
