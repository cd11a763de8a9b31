-- down: delete from tasker.settings_now;
insert into tasker.settings_now
select * from tasker.current_settings();
