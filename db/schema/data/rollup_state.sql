-- down: delete from tasker.rollup_state;

insert into tasker.rollup_state default values;
