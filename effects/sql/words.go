package sql

import "strings"

// keyed gives each word of a list itself, so that a look-up of bytes finds a string
// that need not be made.
func keyed(list string) map[string]string {
	m := map[string]string{}
	for w := range strings.FieldsSeq(list) {
		m[w] = w
	}
	return m
}

// keywords are the words that classify asks about.
var keywords = keyed(`
	select values table with show describe desc explain help insert replace merge upsert
	update delete create alter drop truncate grant revoke reassign call exec execute do
	prepare handler begin commit rollback start savepoint release end abort set reset use
	listen unlisten declare fetch close deallocate lock unlock discard analyze analyse pragma
	checkpoint vacuum reindex optimize cluster attach detach notify kill shutdown restore
	backup flush purge change stop install uninstall import load copy comment security
	refresh rename move if while go delimiter into outfile dumpfile infile program stdin
	stdout from to where for as on using in and or not exists over filter within group by
	union all any some recursive true false cursor global persist persist_only local session
	role password authorization sql_mode standard_conforming_strings transaction database
	schema index view user login function procedure trigger rule event language server foreign
	extension system materialized temporary temp or unlogged unique column default null
	constraint identity verbose query plan format data xml top only concurrently low_priority
	ignore quick owned extended partitions tables databases policy publication subscription
	aggregate operator cast tablespace keyspace collection warehouse stage task pipe share
	no key share skip locked nowait waitfor bulk grantee dbcc writetext updatetext openquery
	reconfigure having order limit offset returning set_config distinct join inner left right
	full cross lateral when then else case between like ilike is interval external service
	authorized slave replica master binary logs instance left natural window partition rows
	range array row at type except intersect`)

// keywordOf is the word in lower case if it is one of those that matter.
func keywordOf(w string) string {
	var buf [32]byte
	if len(w) > len(buf) {
		return ""
	}
	for i := range len(w) {
		c := w[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		buf[i] = c
	}
	return keywords[string(buf[:len(w)])]
}

// functions are those that only compute, in lower case.
var functions = keyed(`
	count sum avg min max total coalesce nullif ifnull isnull nvl greatest least abs ceil
	ceiling floor round trunc mod power pow sqrt exp ln log log10 log2 sign random rand pi
	lower upper initcap length char_length character_length octet_length len trim ltrim rtrim
	btrim lpad rpad left right substr substring substring_index mid instr position locate
	strpos replace reverse repeat concat concat_ws string_agg group_concat listagg format
	quote_ident quote_literal to_char to_date to_timestamp to_number now current_timestamp
	current_date current_time localtime localtimestamp sysdate getdate getutcdate utc_timestamp
	curdate curtime date time datetime julianday unixepoch strftime date_format date_add
	date_sub date_part date_trunc datediff dateadd datepart timestampdiff timestamp extract
	age year month day hour minute second week quarter dayofweek dayofmonth dayofyear
	from_unixtime unix_timestamp make_date make_interval make_timestamp str_to_date cast
	convert try_cast typeof pg_typeof hex unhex encode decode md5 sha1 sha2 sha256 sha512
	char chr ascii unicode printf iif if case row_number rank dense_rank percent_rank ntile
	lag lead first_value last_value nth_value cume_dist percentile_cont percentile_disc
	array_agg array_length array_to_string string_to_array unnest cardinality array_position
	array json json_agg jsonb_agg json_object json_object_agg jsonb_object_agg json_extract
	json_array json_array_length jsonb_array_length json_each json_tree json_type json_valid
	json_build_object jsonb_build_object json_build_array jsonb_build_array json_array_elements
	jsonb_array_elements jsonb_array_elements_text json_array_elements_text jsonb_each
	jsonb_each_text jsonb_object_keys json_object_keys jsonb_pretty to_json to_jsonb
	row_to_json json_arrayagg json_objectagg json_value json_query json_unquote json_contains
	jsonb_extract_path_text jsonb_set jsonb_typeof json_typeof regexp_replace regexp_match
	regexp_matches regexp_like regexp_substr regexp_split_to_table regexp_split_to_array split_part
	translate generate_series stddev stddev_pop stddev_samp variance var_pop var_samp median
	bool_and bool_or every bit_and bit_or mode grouping version database schema user
	current_user session_user current_database current_schema current_schemas
	pg_size_pretty pg_database_size pg_relation_size pg_total_relation_size pg_table_size
	pg_indexes_size pg_get_viewdef pg_get_indexdef pg_get_constraintdef pg_get_functiondef
	pg_backend_pid pg_postmaster_start_time pg_is_in_recovery pg_get_userbyid obj_description
	col_description format_type has_table_privilege to_regclass pg_get_expr current_setting
	last_insert_rowid last_insert_id changes total_changes glob like likelihood soundex
	find_in_set field elt bin oct conv crc32 uuid gen_random_uuid newid nullif zeroblob
	width_bucket div degrees radians sin cos tan asin acos atan atan2 bitcount bit_count
	string_split stuff charindex patindex isdate isnumeric object_id object_name db_name
	pragma_table_info pragma_index_list pragma_foreign_key_list varchar numeric decimal char
	to_tsvector to_tsquery plainto_tsquery websearch_to_tsquery ts_rank ts_headline similarity
	sleep pg_sleep`)

// groups are words that a bracket may follow without a call.
var groups = map[string]bool{
	"in": true, "values": true, "over": true, "and": true, "or": true, "not": true, "exists": true, "on": true, "using": true,
	"from": true, "where": true, "as": true, "select": true, "by": true, "union": true, "all": true, "any": true, "some": true,
	"filter": true, "group": true, "with": true, "when": true, "then": true, "else": true, "case": true, "between": true,
	"like": true, "ilike": true, "is": true, "having": true, "distinct": true, "limit": true, "offset": true, "join": true,
	"row": true, "array": true, "interval": true, "lateral": true, "returning": true, "top": true, "analyze": true,
	"explain": true, "except": true, "intersect": true, "set": true, "key": true, "unique": true,
}

// actions are functions that do more than compute.
var actions = map[string]Kinds{
	"setval": WritesRows, "nextval": WritesRows, "pg_notify": WritesRows,
	"pg_terminate_backend": Administers, "pg_cancel_backend": Administers, "pg_reload_conf": Administers,
	"pg_rotate_logfile": Administers, "pg_switch_wal": Administers, "pg_promote": Administers,
	"pg_create_restore_point": Administers, "pg_stat_reset": Administers, "pg_drop_replication_slot": Administers,
	"set_config": Administers, "pg_read_file": Files, "pg_read_binary_file": Files, "pg_ls_dir": Files,
	"pg_stat_file": Files, "pg_file_write": Files, "pg_file_unlink": Files, "lo_export": Files, "lo_import": Files,
	"lo_unlink": DeletesRows, "load_file": Files, "readfile": Files, "writefile": Files, "edit": Files | Executes,
	"load_extension": Executes, "fts3_tokenizer": Executes, "sys_exec": Executes, "sys_eval": Executes,
	"dblink": Executes, "dblink_exec": Executes, "dblink_connect": Executes, "dblink_send_query": Executes,
	"query_to_xml": Executes, "xp_cmdshell": Executes, "sp_oacreate": Executes, "sp_execute_external_script": Executes,
	"sp_executesql": Executes, "sp_configure": Administers, "openrowset": Files, "opendatasource": Files,
	"openquery": Executes, "xp_regwrite": Administers, "xp_delete_file": Files, "xp_dirtree": Files,
}

// lowered is a name in lower case, looked up without being made.
func lowered[V any](m map[string]V, w string) (V, bool) {
	var buf [48]byte
	var none V
	if len(w) > len(buf) {
		return none, false
	}
	for i := range len(w) {
		c := w[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		buf[i] = c
	}
	v, ok := m[string(buf[:len(w)])]
	return v, ok
}
