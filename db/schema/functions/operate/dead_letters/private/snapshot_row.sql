create or replace function tasker.snapshot_row(p_row jsonb, p_bytes integer)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  if pg_column_size(p_row) <= p_bytes then
    return p_row;
  end if;
  return (
    select jsonb_object_agg(f.key, case
        when pg_column_size(f.value) > greatest(p_bytes / 4, 256) then jsonb_build_object('omitted_bytes', pg_column_size(f.value))
        else f.value
      end)
      from jsonb_each(p_row) as f
     where f.value <> 'null'
  );
end;
$$;

comment on function tasker.snapshot_row is
$$Returns a row of a snapshot unchanged if it has at most p_bytes bytes. Otherwise returns the row without its null
values, and replaces each large value by its size. A value is large if it has more bytes than a quarter of p_bytes, and
more than 256 bytes.$$;
