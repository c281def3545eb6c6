import { getTableColumns, getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { assignmentRules } from "../schema/assignment-rules.ts"
import { certificates } from "../schema/certificates.ts"
import { classes } from "../schema/classes.ts"
import { NEXT_UPDATED_AT } from "../schema/columns.ts"
import { courses } from "../schema/courses.ts"
import { enrollments } from "../schema/enrollments.ts"
import { groups } from "../schema/groups.ts"
import { orders } from "../schema/orders.ts"
import { portals } from "../schema/portals.ts"
import { users } from "../schema/users.ts"
import { type DatabaseObject, trigger } from "./declare.ts"

type DatedTable = SQLiteTable & { updatedAt: AnySQLiteColumn }

/**
 * Moves `updated_at` after an update that changed the row and left it: foreign keys set to null, and statements that
 * do not assign it. Those that are frequent assign it themselves, which writes one row less.
 * @param ignored the columns that are not visible, or that change with sign-ins and heartbeats
 */
function datesUpdates(table: DatedTable, ignored: AnySQLiteColumn[] = []): DatabaseObject {
  const name = getTableName(table)
  const watched = Object.values(getTableColumns(table)).filter(
    (column) => !column.primary && column !== table.updatedAt && !ignored.includes(column),
  )
  const changed = watched.map((column) => `old.${column.name} IS NOT new.${column.name}`).join("\n    OR ")
  return trigger(
    `${name}_updated_at`,
    {
      on: table,
      after: "update",
      of: watched,
      if: `
  new.updated_at = old.updated_at
  AND (
    ${changed}
  )`,
    },
    `UPDATE ${name} SET updated_at = ${NEXT_UPDATED_AT} WHERE id = new.id`,
  )
}

export const updatedAtTriggers: DatabaseObject[] = [
  datesUpdates(users, [
    users.lastLoginAt,
    users.loginAwards,
    users.emailVerifiedAt,
    users.passwordHash,
    users.searchText,
    users.firstNameKey,
    users.lastNameKey,
  ]),
  datesUpdates(enrollments, [
    enrollments.timeSpent,
    enrollments.lastAccessedAt,
    // For points see `pointTriggers`, for certificates `certificateTriggers`.
    enrollments.certificateCount,
    enrollments.pointsAwarded,
    enrollments.pointsPossible,
    enrollments.dueCheckAt,
    enrollments.expiredAt,
    enrollments.firstNameKey,
    enrollments.lastNameKey,
  ]),
  // The modules of a course change with its version.
  datesUpdates(courses, [courses.moduleCount, courses.goal, courses.descriptionText, courses.searchText]),
  datesUpdates(classes),
  datesUpdates(certificates, [certificates.searchText, certificates.expiryState]),
  datesUpdates(orders),
  datesUpdates(groups, [groups.searchText]),
  datesUpdates(assignmentRules, [
    assignmentRules.userCount,
    assignmentRules.pendingCount,
    assignmentRules.nextRunAt,
    assignmentRules.searchText,
  ]),
  datesUpdates(portals, [portals.searchText]),
]
