interface Guide {
  /** The last segment of its URL. */
  name: string
  title: string
  /** What a reader finds in it. */
  about: string
  file: string
}

const guide = (name: string, title: string, about: string, file = `docs/api/${name}.md`): Guide => ({
  name,
  title,
  about,
  file,
})

/** The guides that a deployment serves at /docs/guides/<name>, in the order in which they are listed. */
export const GUIDES: readonly Guide[] = [
  guide("getting-started", "Getting started", "the first calls: sign in, list, create, enroll"),
  guide("conventions", "Conventions", "requests, responses, lists and paging, retries, background jobs, rate limits"),
  guide("errors", "Errors", "the format of errors, and all codes"),
  guide("auth", "Authentication", "sessions, devices, API keys, passwords, single sign-on"),
  guide("taking-a-course", "Taking a course", "a walkthrough with curl"),
  guide("client", "The typed client", "the npm package lectern-client", "src/client/README.md"),
  guide("mobile", "Mobile apps", "sessions, the home screen, and working offline"),
  guide("copies", "Keeping a copy", "what changed since a time, for warehouses and other systems"),
  guide("mcp", "AI agents (MCP)", "the Model Context Protocol at /mcp"),
  guide("users", "Users", "accounts, custom fields, addresses, consents, sources"),
  guide("organizations", "Portals, groups, and locations", "members, administrators, seats"),
  guide("assignment-rules", "Assignment rules", "audiences, due dates, recurrence"),
  guide("scim", "SCIM", "users and groups from Entra ID, Okta, and others"),
  guide("courses", "Courses", "courses, categories, learning paths, library, reviews"),
  guide("media", "Media", "uploads, files, captions"),
  guide("enrollments", "Enrollments and progress", "enrolling, progress, imports, the home screen"),
  guide("due-dates", "Due dates", "due dates, reminders, exemptions, recurring training"),
  guide("assessments", "Quizzes and assignments", "attempts, submissions, evaluation, files"),
  guide("scorm", "SCORM", "packages, launch, run-time data"),
  guide("classes", "Classes and webinars", "schedules, seats, attendance, webinars"),
  guide("certificates", "Certificates", "templates, issuing, verification"),
  guide("transcripts", "Transcripts", "all that a person learned, as JSON and PDF"),
  guide("gamification", "Badges and points", "badges, points, leaderboard"),
  guide("billing", "Billing", "memberships, orders, subscriptions, cards, carts"),
  guide("reports", "Reports", "reports and charts"),
  guide("exports", "Exports", "spreadsheets, gradebook"),
  guide("imports", "Bulk upload", "importing users"),
  guide("audit", "Audit log", "who changed what"),
  guide("privacy", "Privacy", "access to personal data, erasure"),
  guide("announcements", "Announcements", "news for users"),
  guide("webhooks", "Events and webhooks", "notifying other systems"),
  guide("notifications", "Notifications", "kinds, preferences, digests, unsubscribing"),
  guide("settings", "Settings", "name, brand, time zone and language of the academy"),
  guide("mail", "Email", "what is sent and when"),
  guide("health", "Health", "liveness, readiness, job progress"),
]
