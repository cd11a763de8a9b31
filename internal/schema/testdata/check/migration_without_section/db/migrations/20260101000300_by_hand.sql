-- migrate:up
select 1;

-- migrate:down
select 2;
