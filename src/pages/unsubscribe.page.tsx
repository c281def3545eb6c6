import type { NotificationKind } from "../../drizzle/schema/notifications.ts"
import { Layout } from "./page.tsx"

/** What mails of a kind are about. */
const SUBJECTS: Record<NotificationKind | "digest", string> = {
  invited: "invitations",
  enrolled: "new enrollments",
  due_soon: "training that is due soon",
  overdue: "overdue training",
  class_reminder: "upcoming classes",
  class_changed: "changed classes",
  class_canceled: "canceled classes",
  submission_graded: "graded submissions",
  submission_returned: "returned submissions",
  course_completed: "completed courses",
  certificate_expiring: "certificates that expire soon",
  certificate_expired: "expired certificates",
  announcement: "announcements",
  exempted: "exemptions from training",
  extended: "extended due dates",
  team_overdue: "overdue training of your team",
  report_ready: "scheduled reports",
  message: "messages from staff",
  digest: "your daily notifications",
}

/** Asks before it ends mails of a kind. It works without JavaScript and without sign-in. */
export const UnsubscribePage = ({ token, kind }: { token: string; kind: NotificationKind | "digest" }) => (
  <Layout title="Unsubscribe">
    <main>
      <h1>Unsubscribe</h1>
      <p>You will get no more emails about {SUBJECTS[kind]}. You can change this in your notification preferences.</p>
      <form method="post" action={`/unsubscribe?token=${encodeURIComponent(token)}`}>
        <button type="submit">Unsubscribe</button>
      </form>
    </main>
  </Layout>
)
