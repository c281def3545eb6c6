import { ENGLISH_ACCOUNT } from "./account-en.ts"
import type { TextCatalog } from "./text-catalog.ts"

const greeting = "Hello {{first_name}},"
const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: [greeting, ...paragraphs].join("\n\n") })

export const ENGLISH: TextCatalog = {
  kinds: {
    invited: text(
      "You're invited to {{academy}}",
      "You've been invited to {{academy}}. Set a password to accept the invitation and sign in.",
      "[Accept invitation]({{url}})",
      "The link works once and expires in 2 days. If it has expired, ask an administrator to resend the invitation.",
    ),
    enrolled: text(
      "You are enrolled in {{course}}",
      "You are enrolled in **{{course}}**.",
      "Please complete it by **{{due_date}}**.",
      "[Open course]({{url}})",
    ),
    due_soon: text(
      "{{course}} is due on {{due_date}}",
      "Please complete **{{course}}** by **{{due_date}}**.",
      "[Open course]({{url}})",
    ),
    overdue: text(
      "{{course}} is overdue",
      "**{{course}}** was due on **{{due_date}}**. Please complete it as soon as possible.",
      "[Open course]({{url}})",
    ),
    class_reminder: text(
      "{{class}} starts on {{starts_at}}",
      "**{{class}}** starts on **{{starts_at}}**.",
      "Location: {{location}}",
      "[View class]({{url}})",
      "[Add to calendar]({{calendar_url}})",
    ),
    class_changed: text(
      "{{class}} has changed",
      "The schedule of **{{class}}** has changed. It now starts on **{{starts_at}}**.",
      "Location: {{location}}",
      "[View class]({{url}})",
      "[Add to calendar]({{calendar_url}})",
    ),
    class_canceled: text(
      "{{class}} was canceled",
      "**{{class}}**, which would have started on {{starts_at}}, was canceled.",
      "[View my classes]({{url}})",
    ),
    submission_graded: text(
      "{{assignment}} was graded",
      "Your submission for **{{assignment}}** in {{course}} was graded.",
      "Grade: **{{grade}}**",
      "[View submission]({{url}})",
    ),
    submission_returned: text(
      "{{assignment}} needs changes",
      "Your submission for **{{assignment}}** in {{course}} was returned. Please change it and submit it again.",
      "[View submission]({{url}})",
    ),
    course_completed: text(
      "You completed {{course}}",
      "You completed **{{course}}** on {{completed_on}}.",
      "Your certificate is ready. Anyone with the link can verify it:\n[View certificate]({{certificate_url}})",
      "[View my courses]({{url}})",
    ),
    certificate_expiring: text(
      "Your certificate for {{course}} expires on {{expires_on}}",
      "Your certificate for **{{course}}** expires on **{{expires_on}}**. Please renew it before that date.",
      "[Open course]({{url}})",
    ),
    certificate_expired: text(
      "Your certificate for {{course}} has expired",
      "Your certificate for **{{course}}** expired on **{{expires_on}}**.",
      "[Open course]({{url}})",
    ),
    announcement: text("{{heading}}"),
    exempted: text(
      "You do not have to complete {{course}}",
      "You do not have to complete **{{course}}** for now.",
      "Until: {{until}}",
      "Reason: {{reason}}",
    ),
    extended: text(
      "{{course}} is now due on {{due_date}}",
      "You have more time for **{{course}}**: it is now due on **{{due_date}}**.",
      "Reason: {{reason}}",
      "[Open course]({{url}})",
    ),
    message: text("{{subject}}", "{{sender}} sent you a message:"),
    report_ready: text(
      "Your report {{report}} is ready",
      "**{{report}}**, rows: **{{rows}}**",
      "Overdue: **{{overdue}}**, due soon: **{{due_soon}}**, on track: **{{on_track}}**, completed: **{{completed}}**",
      "[Download report]({{url}})",
      "The file is available for seven days.",
    ),
    team_overdue: text(
      "Overdue training in your team",
      "**{{learner}}** has not completed **{{course}}**, which is overdue.",
      "Overdue enrollments in your team: **{{count}}**",
      "[View team]({{url}})",
    ),
  },
  account: ENGLISH_ACCOUNT,
  digest: text("Your notifications from {{academy}}", "Here is what is new since yesterday:"),
  more: "View {{count}} more",
  footer: {
    reason: "You receive this email because of your notification preferences.",
    unsubscribe: "Unsubscribe",
  },
}
