-- down: delete from tasker.incident_watch;
insert into tasker.incident_watch default values;
