"""Whether questions can be answered without what they ask about."""

from dtomtrack.audit.records import Audit, AuditRow, Problem
from dtomtrack.audit.run import audit_items, audit_records

__all__ = ["Audit", "AuditRow", "Problem", "audit_items", "audit_records"]
