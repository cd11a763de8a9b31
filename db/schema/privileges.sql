-- down: alter default privileges grant execute on functions to public;

-- No function of tasker_owner can be executed by a role that is not granted it. Tables need no such line: they belong to their owner.
alter default privileges revoke execute on functions from public;
