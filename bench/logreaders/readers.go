package main

// readers are the calls that read the logs. public.chosen (notes.sql) has the tasks and times with which they are called.
var readers = []struct{ name, call string }{
	{"get_task_history", `select h.* from public.chosen as c cross join lateral tasker.get_task_history(c.task_uuid) as h`},
	{"get_task_history, of a failed task", `
		select h.* from public.chosen as c cross join lateral tasker.get_task_history(tasker.task_uuid_of(c.failed_step_uuid)) as h`},
	{"get_task_history, second page", `
		select h.* from public.chosen as c cross join lateral tasker.get_task_history(c.task_uuid, 5, 1, 2) as h`},
	{"get_step_history", `select h.* from public.chosen as c cross join lateral tasker.get_step_history(c.step_uuid) as h`},
	{"get_step_history, of a failed step", `
		select h.* from public.chosen as c cross join lateral tasker.get_step_history(c.failed_step_uuid) as h`},
	{"get_current_step_transition", `
		select h.* from public.chosen as c cross join lateral tasker.get_current_step_transition(c.step_uuid) as h`},
	{"get_current_task_transition", `
		select h.* from public.chosen as c cross join lateral tasker.get_current_task_transition(c.task_uuid) as h`},
	{"get_task_story", `select h.* from public.chosen as c cross join lateral tasker.get_task_story(c.task_uuid) as h`},
	{"task_transitions", `select h.* from tasker.task_transitions as h where h.task_uuid = (select c.task_uuid from public.chosen as c)`},
	{"task_transitions, most_recent", `
		select h.* from tasker.task_transitions as h where h.task_uuid = (select c.task_uuid from public.chosen as c) and h.most_recent`},
	{"workflow_step_transitions, of a task", `
		select h.* from tasker.workflow_step_transitions as h where h.task_uuid = (select c.task_uuid from public.chosen as c)`},
	{"workflow_step_transitions, most_recent", `
		select h.* from tasker.workflow_step_transitions as h
		 where h.workflow_step_uuid = (select c.step_uuid from public.chosen as c) and h.most_recent`},
	{"get_task_audit_history", `select h.* from public.chosen as c cross join lateral tasker.get_task_audit_history(c.task_uuid) as h`},
	{"get_task_audit_history, second page", `
		select h.* from public.chosen as c cross join lateral tasker.get_task_audit_history(c.task_uuid, 10, 1, 3) as h`},
	{"get_step_audit_history", `select h.* from public.chosen as c cross join lateral tasker.get_step_audit_history(c.step_uuid) as h`},
	{"get_audit_by_correlation_id", `
		select h.* from public.chosen as c cross join lateral tasker.get_audit_by_correlation_id(c.task_uuid) as h`},
	{"get_audit_by_time_range, 1,000", `select h.* from public.chosen as c cross join lateral tasker.get_audit_by_time_range(c.late) as h`},
	{"get_audit_by_time_range, failures", `
		select h.* from public.chosen as c cross join lateral tasker.get_audit_by_time_range(c.first, p_success => false) as h`},
	{"get_audit_by_worker, 100", `select h.* from tasker.get_audit_by_worker('00000000-0000-4000-8000-00000000000a') as h`},
	{"find_feed_events, 1,000", `select h.* from public.chosen as c cross join lateral public.find_events(c.first - interval '1 second') as h`},
	{"find_feed_events, 1,000 of the last tenth", `select h.* from public.chosen as c cross join lateral public.find_events(c.late) as h`},
	{"read_events, 1,000", `select h.* from tasker.read_events('unread', '00000000-0000-4000-8000-00000000000a', 1000) as h`},
	{"ended_tasks_between, all", `select h.* from public.chosen as c cross join lateral tasker.ended_tasks_between(c.first, 'infinity', false) as h`},
	{"ended_steps_between, all", `select h.* from public.chosen as c cross join lateral tasker.ended_steps_between(c.first, 'infinity', false) as h`},
	{"ended_tasks_between, a tenth", `select h.* from public.chosen as c cross join lateral tasker.ended_tasks_between(c.late, 'infinity', false) as h`},
	{"ended_steps_between, a tenth", `select h.* from public.chosen as c cross join lateral tasker.ended_steps_between(c.late, 'infinity', false) as h`},
	{"count_tasks_since, all", `select sum(h.completed) from public.chosen as c cross join lateral tasker.count_tasks_since(c.first) as h`},
	{"count_steps_since, all", `select sum(h.results) from public.chosen as c cross join lateral tasker.count_steps_since(c.first) as h`},
	{"count_tasks_since, a tenth", `select sum(h.completed) from public.chosen as c cross join lateral tasker.count_tasks_since(c.late) as h`},
	{"count_steps_since, a tenth", `select sum(h.results) from public.chosen as c cross join lateral tasker.count_steps_since(c.late) as h`},
	{"fresh_work, all", `select sum(h.results) from public.chosen as c cross join lateral tasker.fresh_work(c.first) as h`},
	{"fresh_work, a tenth", `select sum(h.results) from public.chosen as c cross join lateral tasker.fresh_work(c.late) as h`},
	{"fresh_since", `select tasker.fresh_since()`},
	{"refresh_analytics", `select tasker.refresh_analytics()`},
	{"list_tasks, cancelled", `select h.* from tasker.list_tasks(p_state => 'cancelled') as h`},
	{"list_tasks, error", `select h.* from tasker.list_tasks(p_state => 'error') as h`},
	{"list_tasks, blocked_by_failures", `select h.* from tasker.list_tasks(p_state => 'blocked_by_failures') as h`},
	{"list_tasks", `select h.* from tasker.list_tasks() as h`},
	{"read_failures", `select h.* from public.chosen as c cross join lateral tasker.read_failures(c.first, 1000) as h`},
	{"measure_deadlines", `select h.* from tasker.measure_deadlines() as h`},
	{"measure_failing", `select count(*) from tasker.measure_failing() as h`},
	{"results_of_last_minute", `select count(*) from tasker.results_of_last_minute() as h`},
	{"check_integrity, a tenth", `select h.* from public.chosen as c cross join lateral tasker.check_integrity(c.late) as h`},
}
