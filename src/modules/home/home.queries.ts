import { and, asc, desc, eq, gt, sql } from "drizzle-orm"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { locations } from "../../../drizzle/schema/locations.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { accountColumns, userSiteName } from "../../access/accounts.ts"
import type { Database } from "../../db/client.ts"
import { selectSettings } from "../../db/settings.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { selectNewestAnnouncements } from "../announcements/announcement-readers.ts"

/** Limits of the page; the lists of the API return everything. */
const MAX_COURSES = 100
const MAX_CERTIFICATES = 50
const MAX_CLASSES = 20
const MAX_ANNOUNCEMENTS = 5

/**
 * The data of a user's own page: courses (last used first), valid certificates, upcoming classes and announcements. One
 * round trip.
 * @throws 404 if the user was deleted
 */
export async function homePage(db: Database, userId: number) {
  const at = now()
  const [people, courseRows, certificateRows, classRows, announcementRows, [academy = null]] = await db.batch([
    db
      .select({ ...accountColumns, language: users.language, site: userSiteName(users.id) })
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
      .limit(MAX_COURSES),
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
      .limit(MAX_CERTIFICATES),
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
      .limit(MAX_CLASSES),
    selectNewestAnnouncements(db, userId, MAX_ANNOUNCEMENTS),
    selectSettings(db),
  ])
  const [person] = people
  if (!person) throw notFound("user")
  return {
    person,
    courses: courseRows,
    certificates: certificateRows,
    classes: classRows,
    announcements: announcementRows,
    academy,
  }
}
