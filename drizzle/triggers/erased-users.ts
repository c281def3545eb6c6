import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { addresses } from "../schema/addresses.ts"
import { announcementUsers } from "../schema/announcements.ts"
import { gamificationAwards } from "../schema/badges.ts"
import { cards } from "../schema/cards.ts"
import { carts } from "../schema/carts.ts"
import { certificates, certificateTemplates } from "../schema/certificates.ts"
import { classEnrollments } from "../schema/classes.ts"
import { consents } from "../schema/consents.ts"
import { courses } from "../schema/courses.ts"
import { enrollments } from "../schema/enrollments.ts"
import { ERASED_IS_FINAL } from "../schema/erasures.ts"
import { groupAdmins, groupMembers } from "../schema/groups.ts"
import { learningPathEnrollments } from "../schema/learning-paths.ts"
import { orders } from "../schema/orders.ts"
import { portalMembers } from "../schema/portals.ts"
import { reviews } from "../schema/reviews.ts"
import { subscriptions } from "../schema/subscriptions.ts"
import { transcripts } from "../schema/transcripts.ts"
import { users, userViewTypes } from "../schema/users.ts"
import { forbid } from "./declare.ts"

// An erased user gets nothing new. What statements insert for many people by themselves must leave erased users out.

const isErased = (userId: string) => `EXISTS (SELECT 1 FROM erasures WHERE user_id = ${userId})`

type UserTable = SQLiteTable & { userId: AnySQLiteColumn }

/** Tables with a row for each thing that a user gets. */
const BELONGINGS: UserTable[] = [
  addresses,
  announcementUsers,
  cards,
  carts,
  certificates,
  classEnrollments,
  consents,
  enrollments,
  gamificationAwards,
  groupAdmins,
  groupMembers,
  learningPathEnrollments,
  orders,
  portalMembers,
  reviews,
  subscriptions,
  transcripts,
  userViewTypes,
]

/** Columns that name a user who is in charge of a record. */
const RESPONSIBLE: [SQLiteTable, AnySQLiteColumn][] = [
  [certificateTemplates, certificateTemplates.authorId],
  [courses, courses.authorId],
]

export const erasedUserTriggers = [
  forbid(
    "users_erased_stay",
    {
      on: users,
      before: "update",
      of: [users.version],
      // Every change of an account increments its version. Erased accounts are disabled.
      if: `old.disabled AND ${isErased("old.id")}`,
    },
    ERASED_IS_FINAL,
  ),
  // After the insert: rows that exist already are no change.
  ...BELONGINGS.map((table) =>
    forbid(
      `${getTableName(table)}_not_of_erased`,
      { on: table, after: "insert", if: isErased("new.user_id") },
      ERASED_IS_FINAL,
    ),
  ),
  ...RESPONSIBLE.flatMap(([table, column]) => [
    forbid(
      `${getTableName(table)}_not_by_erased`,
      { on: table, after: "insert", if: isErased(`new.${column.name}`) },
      ERASED_IS_FINAL,
    ),
    forbid(
      `${getTableName(table)}_not_given_to_erased`,
      {
        on: table,
        after: "update",
        of: [column],
        if: `new.${column.name} IS NOT old.${column.name} AND ${isErased(`new.${column.name}`)}`,
      },
      ERASED_IS_FINAL,
    ),
  ]),
]
