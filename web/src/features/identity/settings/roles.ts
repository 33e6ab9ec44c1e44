import type { Role } from "@/api/generated/identity";
import type { Option } from "@/components/Field";

const ROLES: readonly Role[] = ["owner", "admin", "member", "viewer", "annotator"];

/** Return the roles that a person of this role may give and take: only owners make owners. */
export function grantable(role: Role | null | undefined): Option<Role>[] {
  const given = role === "owner" ? ROLES : role === "admin" ? ROLES.slice(1) : [];
  return given.map((value) => ({ value, label: value }));
}
