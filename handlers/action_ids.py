"""Ids of buttons and forms. A button carries an identity, never a decision: the rule runs again when it is pressed."""

from enum import StrEnum


class ActionId(StrEnum):
    """Every ``action_id`` that the bot sends and listens to; the value is the id of lease, question or quote."""

    RENT_ACCEPT = "rent_accept"
    RENT_DECLINE = "rent_decline"
    RENT_FORM = "rent_form"
    LEASE_STOP = "lease_stop"
    LEASE_START = "lease_start"
    LEASE_EXTEND = "lease_extend"
    LEASE_EXTEND_LONG = "lease_extend_long"
    LEASE_RELEASE = "lease_release"
    LEASE_KEEP_ANYWAY = "lease_keep_anyway"
    LEASE_SSH = "lease_ssh"
    LEASE_KEEP_QUIET = "lease_keep_quiet"
    JOB_KILL = "job_kill"
    JOB_EXTEND = "job_extend"
    SECRET_FORM = "secret_form"  # noqa: S105  a button, no secret
    FILE_REPLACE = "file_replace"
    FILE_BOTH = "file_both"
    FILE_LEAVE = "file_leave"
    QUESTION_YES = "question_yes"
    QUESTION_SAVE = "question_save"
    QUESTION_NO = "question_no"


class FormId(StrEnum):
    """Every ``callback_id`` of a form."""

    RENT = "rent"
    SECRET = "secret"  # noqa: S105  a form, no secret


class RentField(StrEnum):
    """The inputs of the rent form: ``block_id`` and ``action_id`` alike."""

    MACHINE = "rent_machine"
    LENGTH = "rent_length"
    OTHER_LENGTH = "rent_other_length"
    DISK = "rent_disk"
    DATA_DISK = "rent_data_disk"
    NAME = "rent_name"
    PROVIDER = "rent_provider"


class SecretField(StrEnum):
    """The input of the form for a secret: ``block_id`` and ``action_id`` alike."""

    VALUE = "secret_value"
