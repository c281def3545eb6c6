import type { AccountTexts } from "./text-catalog.ts"

const text = (subject: string, ...paragraphs: string[]) => ({ subject, body: paragraphs.join("\n\n") })

const NOT_YOU = "Wenn Sie das nicht waren, wenden Sie sich an die Administration."

export const GERMAN_ACCOUNT: AccountTexts = {
  greeting: "Guten Tag {{first_name}},",
  greetingWithoutName: "Guten Tag,",
  kinds: {
    welcome: text(
      "Willkommen bei {{academy}}",
      "Bei {{academy}} wurde ein Konto für Sie angelegt. Melden Sie sich mit dieser E-Mail-Adresse und dem Passwort " +
        "an, das Sie erhalten haben.",
      "[Anmelden]({{url}})",
    ),
    email_confirm: text(
      "Bestätigen Sie Ihre E-Mail-Adresse für {{academy}}",
      "Jemand, wahrscheinlich Sie, möchte diese E-Mail-Adresse für das eigene Konto bei {{academy}} verwenden.",
      "[E-Mail-Adresse bestätigen]({{url}})",
      "Der Link funktioniert einmal und läuft nach 24 Stunden ab. Wenn Sie das nicht waren, " +
        "ignorieren Sie diese E-Mail.",
    ),
    email_taken: text(
      "Ihr Konto bei {{academy}}",
      "Jemand, wahrscheinlich Sie, möchte diese E-Mail-Adresse für ein anderes Konto bei {{academy}} verwenden. Sie " +
        "gehört bereits zu Ihrem Konto, deshalb wurde nichts geändert.",
    ),
    email_changed: text(
      "Ihre E-Mail-Adresse bei {{academy}} wurde geändert",
      "Die E-Mail-Adresse Ihres Kontos bei {{academy}} wurde geändert. Sie können sich mit dieser Adresse nicht mehr " +
        "anmelden.",
      `Wenn Sie das waren, müssen Sie nichts tun. ${NOT_YOU}`,
    ),
    sign_up_confirm: text(
      "Bestätigen Sie Ihre E-Mail-Adresse für {{academy}}",
      "Jemand, wahrscheinlich Sie, hat sich mit dieser E-Mail-Adresse bei {{academy}} registriert.",
      "[E-Mail-Adresse bestätigen und Passwort festlegen]({{url}})",
      "Der Link funktioniert einmal und läuft nach 2 Tagen ab. Wenn Sie das nicht waren, " +
        "ignorieren Sie diese E-Mail: " +
        "Es wird kein Konto angelegt.",
    ),
    sign_up_exists: text(
      "Ihr Konto bei {{academy}}",
      "Jemand, wahrscheinlich Sie, hat sich mit dieser E-Mail-Adresse bei {{academy}} registriert. " +
        "Es gibt bereits ein " +
        "Konto mit dieser Adresse: Melden Sie sich an, oder setzen Sie Ihr Passwort zurück, wenn Sie " +
        "es vergessen haben.",
      "[Passwort zurücksetzen]({{url}})",
    ),
    password_reset: text(
      "Setzen Sie Ihr Passwort für {{academy}} zurück",
      "Jemand, wahrscheinlich Sie, möchte das Passwort Ihres Kontos bei {{academy}} zurücksetzen.",
      "[Passwort zurücksetzen]({{url}})",
      "Der Link funktioniert einmal und läuft nach 1 Stunde ab. Beim Zurücksetzen werden Sie auf allen Geräten " +
        "abgemeldet. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort ändert sich nicht.",
    ),
    password_temporary: text(
      "Ihr vorläufiges Passwort für {{academy}}",
      "Dies ist ein vorläufiges Passwort für Ihr Konto bei {{academy}}. Es funktioniert einmal und " +
        "läuft nach 2 Tagen " +
        "ab. Melden Sie sich damit an, um Ihr eigenes Passwort festzulegen.",
      "**{{password}}**",
      "[Anmelden]({{url}})",
      "Ihr bisheriges Passwort gilt nicht mehr.",
    ),
    password_changed: text(
      "Ihr Passwort für {{academy}} wurde geändert",
      "Das Passwort Ihres Kontos bei {{academy}} wurde geändert. Alle Geräte wurden abgemeldet.",
      "[Passwort zurücksetzen]({{url}})",
      "Wenn Sie das waren, müssen Sie nichts tun. Andernfalls setzen Sie Ihr Passwort zurück und wenden sich an die " +
        "Administration.",
    ),
    provider_sign_in: text(
      "Melden Sie sich bei {{academy}} an",
      "Jemand, wahrscheinlich Sie, möchte das Passwort Ihres Kontos bei {{academy}} zurücksetzen. Sie brauchen kein " +
        "Passwort: Sie melden sich mit {{provider}} an.",
      "[Mit {{provider}} anmelden]({{url}})",
    ),
    provider_linked: text(
      "Sie melden sich jetzt mit {{provider}} bei {{academy}} an",
      "Ihr Konto bei {{academy}} wurde mit {{provider}} verknüpft. Die E-Mail-Adresse war noch nicht bestätigt. " +
        "Deshalb wurden Passwort, Geräte, API-Schlüssel und Zwei-Faktor-Authentifizierung widerrufen.",
      NOT_YOU,
    ),
    cart_reminder: text(
      "In Ihrem Warenkorb bei {{academy}} liegen noch Artikel",
      "Ihr Warenkorb enthält:",
      "{{items}}",
      "Gesamt: {{total}}",
      "Wenn Sie diese Artikel bereits gekauft haben oder nicht mehr möchten, ignorieren Sie diese E-Mail.",
    ),
    webhook_gone: text(
      "Ein Webhook wurde deaktiviert",
      "Der Webhook zu {{host}} wurde deaktiviert.",
      "Der Empfänger hat mit 410 (Gone) geantwortet.",
      "Wenn Sie ihn wieder aktivieren, erhält er die verpassten Ereignisse, höchstens die der letzten 30 Tage.",
    ),
    webhook_failing: text(
      "Ein Webhook wurde deaktiviert",
      "Der Webhook zu {{host}} wurde deaktiviert.",
      "Drei Tage lang konnte kein Ereignis zugestellt werden.",
      "Wenn Sie ihn wieder aktivieren, erhält er die verpassten Ereignisse, höchstens die der letzten 30 Tage.",
    ),
  },
}
