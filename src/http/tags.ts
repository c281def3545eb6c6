import type { Context } from "hono"
import { invalid } from "../lib/errors.ts"

/**
 * The tags of operations with their descriptions, in the order of the API reference. API keys can be restricted to
 * tags.
 */
export const TAGS = {
  Sessions: "Sign in, sign out, and set passwords with one-time links.",
  "API keys": "Keys for programs, with their permissions and expiry.",
  "Two-factor authentication": "Two-factor authentication with an authenticator app (TOTP) and recovery codes.",
  "Single sign-on": "OpenID Connect providers for single sign-on.",
  Users: "User accounts, their roles, and searching them.",
  "Custom fields": "Definitions of custom user fields. Values are part of users.",
  Addresses: "Billing and shipping addresses of users.",
  "Bulk upload": "Import users from JSON or a spreadsheet.",
  Consents: "Users' consents: accepted or rejected, with the time.",
  "User sources": "The sources that users come from.",
  Groups: "Groups of users with administrators and course seats.",
  Portals: "Portals: branded academies within the academy, with members and administrators.",
  Locations: "Locations of classes.",
  Categories: "Categories for courses, modules, questions, products and users.",
  Courses: "Courses with their modules, enrollments and submissions.",
  Modules: "The content of courses: text, video, quizzes and SCORM packages.",
  Media: "The media library: images, PDF, audio and video, with captions and transcripts.",
  "Assignment modules": "Assignments: opening, submitting files, and grading.",
  "Learning paths": "Sequences of courses, and their enrollments.",
  "Assignment rules": "Rules that assign courses and learning paths to an audience, with due dates.",
  "Due dates": "Due dates of enrollments: setting and extending them, exemptions and reminders.",
  "Learning data": "The learner's view: courses, progress, quizzes, SCORM, libraries, activities.",
  Classes: "Instructor-led classes: sessions, seats, attendance, study material.",
  Webinars: "Online classes: joining them, and their recordings.",
  "Class reports": "Attendance by class and by user.",
  Reports: "Learners' progress by user, course, quiz and SCORM package.",
  Exports: "Spreadsheets generated in the background: start, progress, download.",
  "Certificate templates": "The design and the text of certificates.",
  Certificates: "Certificates of users: list, download, issue, verify.",
  Transcripts: "All that a user learned: read, issue, download, verify.",
  Badges: "Badges, the events that award them, and the leaderboard.",
  Notifications: "What people are notified of, in the list and by mail.",
  Settings: "The academy's name, brand, mail sender, time zone and language.",
  Announcements: "Announcements to all users, selected users or the learners of courses.",
  Reviews: "Learners' reviews of courses.",
  Memberships: "Memberships that give users access to courses for a time.",
  Orders: "Orders reported by a payment system.",
  Subscriptions: "Subscriptions reported by a payment system.",
  Carts: "Abandoned carts and their reminders.",
  Cards: "Users' payment cards: only the last four digits are stored.",
  Webhooks: "Webhook endpoints and their deliveries.",
  "Audit log": "Who changed what, and when.",
  SCIM: "Users and groups for identity providers (SCIM 2.0, RFC 7644).",
  Events: "The ordered event feed for other systems.",
  Operating: "Health checks, jobs and diagnostics.",
  "Credential provider": "The provider of digital credentials.",
} as const

export type Tag = keyof typeof TAGS

/** The tags in the query of a request, as in `?tag=Users,Courses`. @throws 422 for an unknown tag */
export function tagsOf(c: Context): string[] {
  const tags = (c.req.queries("tag") ?? []).flatMap((value) => value.split(",")).flatMap((name) => name.trim() || [])
  const unknown = tags.filter((name) => !Object.hasOwn(TAGS, name))
  if (unknown.length > 0) throw invalid("tag", `tag must name tags of /openapi.json; unknown: ${unknown.join(", ")}.`)
  return tags
}
