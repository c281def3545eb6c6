import { GERMAN_ACCOUNT } from "./account-de.ts"
import type { TextCatalog } from "./text-catalog.ts"

const greeting = "Guten Tag {{first_name}},"
const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: [greeting, ...paragraphs].join("\n\n") })

export const GERMAN: TextCatalog = {
  kinds: {
    invited: text(
      "Einladung zu {{academy}}",
      "Sie wurden zu {{academy}} eingeladen. Legen Sie ein Passwort fest, um die Einladung anzunehmen und sich " +
        "anzumelden.",
      "[Einladung annehmen]({{url}})",
      "Der Link funktioniert einmal und läuft nach 2 Tagen ab. Ist er abgelaufen, bitten Sie die Administration, " +
        "die Einladung erneut zu senden.",
    ),
    enrolled: text(
      "Sie sind in {{course}} eingeschrieben",
      "Sie sind in **{{course}}** eingeschrieben.",
      "Bitte schließen Sie den Kurs bis zum **{{due_date}}** ab.",
      "[Kurs öffnen]({{url}})",
    ),
    due_soon: text(
      "{{course}} ist am {{due_date}} fällig",
      "Bitte schließen Sie **{{course}}** bis zum **{{due_date}}** ab.",
      "[Kurs öffnen]({{url}})",
    ),
    overdue: text(
      "{{course}} ist überfällig",
      "**{{course}}** war am **{{due_date}}** fällig. Bitte schließen Sie den Kurs so bald wie möglich ab.",
      "[Kurs öffnen]({{url}})",
    ),
    class_reminder: text(
      "{{class}} beginnt am {{starts_at}}",
      "**{{class}}** beginnt am **{{starts_at}}**.",
      "Ort: {{location}}",
      "[Seminar ansehen]({{url}})",
      "[Zum Kalender hinzufügen]({{calendar_url}})",
    ),
    class_changed: text(
      "{{class}} wurde geändert",
      "Der Termin von **{{class}}** wurde geändert. Neuer Beginn: **{{starts_at}}**.",
      "Ort: {{location}}",
      "[Seminar ansehen]({{url}})",
      "[Zum Kalender hinzufügen]({{calendar_url}})",
    ),
    class_canceled: text(
      "{{class}} wurde abgesagt",
      "**{{class}}** wurde abgesagt. Geplanter Beginn war: {{starts_at}}.",
      "[Meine Seminare ansehen]({{url}})",
    ),
    submission_graded: text(
      "{{assignment}} wurde bewertet",
      "Ihre Abgabe für **{{assignment}}** in {{course}} wurde bewertet.",
      "Bewertung: **{{grade}}**",
      "[Abgabe ansehen]({{url}})",
    ),
    submission_returned: text(
      "{{assignment}} muss überarbeitet werden",
      "Ihre Abgabe für **{{assignment}}** in {{course}} wurde zurückgegeben. Bitte überarbeiten " +
        "Sie sie und geben Sie " +
        "sie erneut ab.",
      "[Abgabe ansehen]({{url}})",
    ),
    course_completed: text(
      "Sie haben {{course}} abgeschlossen",
      "Sie haben **{{course}}** am {{completed_on}} abgeschlossen.",
      "Ihr Zertifikat ist bereit. Wer den Link hat, kann es prüfen:\n[Zertifikat ansehen]({{certificate_url}})",
      "[Meine Kurse ansehen]({{url}})",
    ),
    certificate_expiring: text(
      "Ihr Zertifikat für {{course}} läuft am {{expires_on}} ab",
      "Ihr Zertifikat für **{{course}}** läuft am **{{expires_on}}** ab. Bitte erneuern Sie es vorher.",
      "[Kurs öffnen]({{url}})",
    ),
    certificate_expired: text(
      "Ihr Zertifikat für {{course}} ist abgelaufen",
      "Ihr Zertifikat für **{{course}}** ist am **{{expires_on}}** abgelaufen.",
      "[Kurs öffnen]({{url}})",
    ),
    announcement: text("{{heading}}"),
    message: text("{{subject}}", "{{sender}} hat Ihnen eine Nachricht gesendet:"),
    exempted: text(
      "Sie müssen {{course}} nicht abschließen",
      "Sie müssen **{{course}}** vorerst nicht abschließen.",
      "Bis: {{until}}",
      "Grund: {{reason}}",
    ),
    extended: text(
      "{{course}} ist jetzt am {{due_date}} fällig",
      "Sie haben mehr Zeit für **{{course}}**: Der Kurs ist jetzt am **{{due_date}}** fällig.",
      "Grund: {{reason}}",
      "[Kurs öffnen]({{url}})",
    ),
    report_ready: text(
      "Ihr Bericht {{report}} ist fertig",
      "**{{report}}**, Zeilen: **{{rows}}**",
      "Überfällig: **{{overdue}}**, bald fällig: **{{due_soon}}**, im Plan: **{{on_track}}**, " +
        "abgeschlossen: **{{completed}}**",
      "[Bericht herunterladen]({{url}})",
      "Die Datei ist sieben Tage lang verfügbar.",
    ),
    team_overdue: text(
      "Überfällige Schulungen in Ihrem Team",
      "**{{learner}}** hat **{{course}}** nicht abgeschlossen. Der Kurs ist überfällig.",
      "Überfällige Einschreibungen in Ihrem Team: **{{count}}**",
      "[Team ansehen]({{url}})",
    ),
  },
  account: GERMAN_ACCOUNT,
  digest: text("Ihre Benachrichtigungen von {{academy}}", "Das ist seit gestern neu:"),
  more: "{{count}} weitere anzeigen",
  footer: {
    reason: "Sie erhalten diese E-Mail aufgrund Ihrer Benachrichtigungseinstellungen.",
    unsubscribe: "Abbestellen",
  },
}
