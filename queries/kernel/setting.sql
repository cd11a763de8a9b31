-- GetSetting returns the value of a setting, or ErrNotFound if no setting has that name.
-- name: GetSetting :one
select tasker.get_setting(@name);

-- ListSettings returns all settings by name.
-- name: ListSettings :many
select * from tasker.list_settings();
