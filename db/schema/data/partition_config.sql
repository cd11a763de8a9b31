-- down: delete from tasker.partition_config;
insert into tasker.partition_config default values;
