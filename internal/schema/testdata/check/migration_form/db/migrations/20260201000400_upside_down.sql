-- migrate:down
select 1;
-- migrate:up
select 2;
