-- GetSetting returns the value of a setting, ErrNotFound if there is none of that name.
-- name: GetSetting :one
select tasker.get_setting(@name);

-- ListSettings returns all settings by name.
-- name: ListSettings :many
select * from tasker.list_settings();
