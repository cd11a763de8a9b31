-- migrate:up
select 1;
-- migrate:down
select 2;
-- migrate:up
select 3;
