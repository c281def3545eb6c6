import { and, asc, desc, eq, gt, sql } from "drizzle-orm"
import { announcements } from "../../../drizzle/schema/announcements.ts"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { accountColumns, primaryPortalName } from "../../access/accounts.ts"
import type { Database } from "../../db/client.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { isForUser, isNotExpired, linkedToUser } from "../announcements/announcement-readers.ts"

/** How many of each the page shows; the lists of the API have all. */
const MOST_COURSES = 100
const MOST_CERTIFICATES = 50
const MOST_CLASSES = 20
const MOST_ANNOUNCEMENTS = 5

/**
 * What a person's own page shows: their courses, the one that they were in last first, their certificates that hold,
 * classes to come and what is announced to them. One trip.
 * @throws 404 where the user is gone
 */
export async function homePage(db: Database, userId: number) {
  const at = now()
  const [people, taken, earned, held, told] = await db.batch([
    db
      .select({ ...accountColumns, site: primaryPortalName(users.id) })
      .from(users)
      .where(eq(users.id, userId)),
    db
      .select({
        name: courses.name,
        slug: courses.slug,
        status: enrollments.status,
        percent: enrollments.percent,
        expiresAt: enrollments.expiresAt,
      })
      .from(enrollments)
      .innerJoin(courses, eq(courses.id, enrollments.courseId))
      .where(eq(enrollments.userId, userId))
      .orderBy(desc(sql`max(${enrollments.lastAccessedAt}, ${enrollments.registeredAt})`), desc(enrollments.id))
      .limit(MOST_COURSES),
    db
      .select({
        id: certificates.id,
        code: certificates.code,
        courseName: certificates.courseName,
        issuedAt: certificates.issuedAt,
        expiresAt: certificates.expiresAt,
      })
      .from(certificates)
      .where(and(eq(certificates.userId, userId), eq(certificates.revokedAt, 0)))
      .orderBy(desc(certificates.issuedAt))
      .limit(MOST_CERTIFICATES),
    db
      .select({
        courseName: courses.name,
        location: sql<string | null>`${locations.name}`.as("location"),
        timeZone: classes.timeZone,
        startAt: classes.startAt,
        endAt: classes.endAt,
      })
      .from(classEnrollments)
      .innerJoin(classes, eq(classes.id, classEnrollments.classId))
      .innerJoin(courses, eq(courses.id, classes.courseId))
      .leftJoin(locations, eq(locations.id, classes.locationId))
      .where(
        and(
          eq(classEnrollments.userId, userId),
          gt(classes.endAt, at),
          eq(classEnrollments.status, ClassStatus.Registered),
          eq(classes.disabled, false),
        ),
      )
      .orderBy(asc(classes.startAt))
      .limit(MOST_CLASSES),
    db
      .select({
        heading: announcements.heading,
        content: announcements.content,
        createdAt: announcements.createdAt,
      })
      .from(announcements)
      // What is for everyone in its index's order, and the person's own few.
      .where(
        sql`${announcements.id} in (
          select id from (
            select ${announcements.id} as id from ${announcements}
            where ${announcements.standing} = 'everyone' and ${isForUser(userId)} and ${isNotExpired()}
            order by ${announcements.createdAt} desc
            limit ${MOST_ANNOUNCEMENTS}
          )
          union all
          ${linkedToUser(userId)}
        )`,
      )
      .orderBy(desc(announcements.createdAt), desc(announcements.id))
      .limit(MOST_ANNOUNCEMENTS),
  ])
  const [person] = people
  if (!person) throw notFound("user")
  return { person, courses: taken, certificates: earned, classes: held, announcements: told }
}
