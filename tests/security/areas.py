"""Which tests show that nobody is let in, by what they show. docs/security.md says it in sentences."""

AREAS: dict[str, tuple[str, ...]] = {
    "doors": (
        "tests/security/test_doors.py",
        "libs/common/tests/test_web.py",
        "services/gateway-ws/tests/test_gateway_ws_stomp.py",
    ),
    "secrets": (
        "tests/security/test_secrets_nowhere.py",
        "tests/security/test_rotate_key.py",
        "services/config-api/tests/test_provider_secrets.py",
        "services/inference-gateway/tests/test_secrets.py",
    ),
    "addresses": (
        "libs/common/tests/test_addresses.py",
        "services/config-api/tests/test_providers.py",
        "services/inference-gateway/tests/test_provider_addresses.py",
        "services/inference-gateway/tests/test_requests.py",
        "services/orchestrator/tests/test_webhook_addresses.py",
        "services/orchestrator/tests/domain/test_evaluation.py",
    ),
    "limits": (
        "tests/security/test_limits.py",
        "libs/common/tests/test_json_depth.py",
        "services/inference-gateway/tests/test_bounds.py",
        "services/inference-gateway/tests/test_reading.py",
        "services/judge/tests/test_judge_programs.py",
        "services/config-api/tests/test_edge.py",
        "services/config-api/tests/test_dataset_uploads.py",
        "services/config-api/tests/test_dataset_formats.py",
        "services/config-api/tests/test_documents.py",
        "services/config-api/tests/test_formats.py",
        "tests/embedded/test_archive.py",
    ),
    "injection": (
        "tests/security/test_hostile_names.py",
        "tests/security/test_csv_cells.py",
        "libs/common/tests/test_logs.py",
        "libs/common/tests/test_ids.py",
        "services/config-api/tests/test_paging.py",
        "services/config-api/tests/test_task_export.py",
        "services/gateway-ws/tests/test_gateway_ws_domain.py",
        "services/judge/tests/test_judge_domain.py",
        "tests/contract/test_schemathesis.py",
    ),
    "rights": (
        "tests/security/test_rights_on_tables.py",
        "tests/security/test_rights_on_subjects.py",
        "tests/embedded/test_logins.py",
        "tests/architecture/test_one_writer.py",
    ),
    "supply": (
        "tests/security/test_dependencies.py",
        "tests/architecture/test_house_rules.py",
        "tests/deploy/test_compose.py",
        "tests/deploy/test_images.py",
    ),
}
