"""The faults that the wrapper promises to survive, each with the tests that inject it.

``pytest -m faults`` runs all of these tests; ``GENUI_FAULTS=full`` uses the full sizes instead of smaller ones.
"""

FAULTS = {
    "the upstream is killed in the middle of a call": [
        "tests/system/test_faults.py::test_a_fault_is_reported_clearly_and_overcome_and_leaves_nothing_behind",
        "tests/contract/test_stdio_restarts.py::test_a_death_fails_the_open_call_at_once_and_the_next_life_answers",
        "tests/system/test_faults.py::test_a_thousand_calls_through_ten_kills_get_one_answer_each",
    ],
    "half a line": [
        "tests/contract/tool_source/test_stdio_faults.py::test_a_death_in_the_middle_of_a_line_is_noticed_at_once",
        "tests/unit/core/domain/session/test_relay_deaths.py::test_a_death_at_any_byte_of_an_answer_leaves_one_answer",
    ],
    "a line of 50 MB": [
        "tests/unit/core/domain/session/test_relay.py::test_a_line_of_50_mb_passes_in_linear_time",
        "tests/contract/tool_source/test_stdio_faults.py::test_an_answer_that_is_too_long_fails_its_call_alone",
    ],
    "lines that are no JSON": [
        "tests/contract/tool_source/test_stdio_faults.py::test_output_that_is_no_message_is_skipped_and_logged",
        "tests/unit/core/domain/session/test_relay.py::test_a_line_that_is_no_message_never_reaches_the_host",
    ],
    "a flood on standard error": [
        "tests/contract/test_stdio_drivers.py::test_a_flood_of_log_lines_that_no_one_reads_stops_nothing",
        "tests/unit/adapters/io/test_upstream_log.py::test_of_a_flood_the_log_has_the_beginning_a_count_and_the_last_words",
    ],
    "an upstream behind a URL goes wrong": [
        "tests/system/test_faults.py::test_a_fault_behind_a_url_is_reported_clearly_and_overcome",
        "tests/system/test_faults.py::test_calls_over_http_through_kills_get_one_answer_each",
    ],
    "a provider refuses: 400, 401, 404, 429, 500, 529": [
        "tests/contract/llm/test_providers.py::test_each_status_has_its_error_code_and_is_requested_once",
        "tests/system/test_provider_faults.py::test_a_key_that_is_refused_is_not_tried_again",
        "tests/system/test_provider_faults.py::test_a_temporary_failure_is_retried",
    ],
    "a provider is not there, resets, is cut, or answers with garbage or a page": [
        "tests/contract/llm/test_providers.py::test_a_refused_connection_is_a_network_error",
        "tests/contract/llm/test_providers.py::test_a_stream_that_breaks_in_any_way_is_a_failure_that_may_be_retried",
        "tests/system/test_provider_faults.py::test_a_model_that_stays_down_is_asked_three_times_and_at_once_when_a_person_says_so",
    ],
    "a provider drips or never ends": [
        "tests/system/test_provider_faults.py::test_a_model_that_never_ends_is_cancelled_at_the_deadline_and_asked_again_later",
        "tests/contract/llm/test_providers.py::test_a_cancelled_completion_closes_the_connection_at_once",
    ],
    "the disk is full": [
        "tests/system/faults/test_disks.py::test_a_full_disk_prevents_only_the_storing_of_views",
    ],
    "the cache directory cannot be written or is missing": [
        "tests/system/faults/test_disks.py::test_views_are_served_without_a_cache_folder",
        "tests/contract/view_store/test_stores.py::test_a_folder_that_cannot_be_written_stores_nothing_and_the_log_says_so",
    ],
    "several write at once": [
        "tests/contract/view_store/test_stores.py::test_processes_that_are_killed_at_any_moment_leave_no_wrong_view_and_lose_no_reported_one",
    ],
    "the power goes: a file is cut at any byte": [
        "tests/contract/view_store/test_stores.py::test_a_file_that_was_cut_at_any_byte_is_a_miss_and_set_aside",
    ],
    "SIGTERM, SIGINT or the end of input during a generation": [
        "tests/system/test_generation_life.py::test_an_exit_during_a_generation_is_quick_and_leaves_nothing_behind",
        "tests/system/test_serve.py::test_a_signal_ends_the_server_the_upstream_and_its_children",
    ],
    "the host is gone during a generation": [
        "tests/contract/transports/test_made_views.py::test_readers_who_all_leave_early_end_the_models_work",
        "tests/contract/test_stdio_made_views.py::test_an_exit_during_a_generation_is_clean",
    ],
    "a thousand readers of one cold view": [
        "tests/contract/transports/test_made_views.py::test_a_thousand_readers_of_a_cold_view_make_the_model_write_once",
    ],
    "the leader is cancelled among a thousand readers": [
        "tests/unit/core/application/generation/test_single_flight.py::test_a_leader_who_leaves_does_not_take_the_others_along",
    ],
    "the clock jumps": [
        "tests/unit/core/application/views/test_clock_jumps.py::test_no_budget_ends_early_and_the_measured_duration_is_right",
        "tests/unit/core/application/views/test_clock_jumps.py::test_no_budget_lasts_longer",
    ],
    "a crash loop": [
        "tests/system/faults/test_crash_loop.py::test_an_upstream_in_a_crash_loop_is_started_at_most_six_times_a_minute_while_cached_views_are_served",
        "tests/unit/core/domain/settings/test_restart.py::test_an_upstream_that_dies_young_is_started_at_most_six_times_in_any_minute",
    ],
    "a hundred thousand changes of the tools": [
        "tests/system/faults/test_floods.py::test_a_flood_of_changes_of_the_tools_causes_two_listings_at_most",
        "tests/system/faults/test_floods.py::test_many_changes_cause_two_listings_at_most_while_the_host_reads_views",
    ],
    "refinements race with reads, regenerations and refreshes": [
        "tests/system/faults/test_races.py::test_the_last_refinement_wins_whatever_races_with_it",
        "tests/system/test_generation_life.py::test_the_last_of_refinements_that_race_with_reads_wins",
        "tests/unit/core/application/views/test_view_service.py::test_a_view_that_ends_after_its_tool_changed_does_not_replace_the_newer_view",
    ],
    "ten thousand requests that are taken back": [
        "tests/system/faults/test_floods.py::test_cancelled_calls_leave_nothing_behind",
        "tests/system/faults/test_floods.py::test_cancelled_generations_leave_nothing_behind",
    ],
    "two hundred disconnects": [
        "tests/system/faults/test_disconnects.py::test_two_hundred_disconnects_leave_nothing_behind",
    ],
    "pipes, links, folders, and huge files in the cache": [
        "tests/contract/view_store/test_stores.py::test_an_entry_that_is_no_plain_file_is_a_miss_and_hangs_no_one",
    ],
    "files of another owner in the cache": [
        "tests/system/faults/test_disks.py::test_files_of_another_owner_are_not_read",
    ],
    "entries of the cache that are swapped or forged": [
        "tests/contract/view_store/test_stores.py::test_swapped_files_are_misses",
        "tests/contract/view_store/test_stores.py::test_a_file_that_another_program_wrote_is_a_miss",
        "tests/system/faults/test_disks.py::test_the_key_of_the_seals_lies_outside_the_cache",
    ],
    "schemas of the test suite, cycles, a hundred thousand values": [
        "tests/system/faults/test_schemas.py::test_every_schema_of_the_test_suite_gives_a_page",
        "tests/system/faults/test_schemas.py::test_cyclic_and_huge_schemas_give_a_page",
        "tests/fuzz/test_form_fuzz.py::test_the_page_of_any_schema_holds_its_tool",
        "tests/fuzz/test_form_fuzz.py::test_the_kit_builds_a_form_of_any_schema",
    ],
}
