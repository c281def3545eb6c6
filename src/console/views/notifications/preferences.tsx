import { useEffect, useRef } from "preact/hooks"
import { useLocation } from "preact-iso"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, type Me, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, type Values } from "../../ui/form.tsx"
import { kindDescription, kindLabel } from "./kinds.ts"
import "./notifications.css"

type Preference = DataOf<"/api/notification-preferences", "get">["records"][number]

const FREQUENCIES = ["immediately", "daily", "never"] as const
type Frequency = (typeof FREQUENCIES)[number]

/** The preferences that differ from the stored ones. */
const changesOf = (values: Values, preferences: readonly Preference[]) =>
  preferences.flatMap(({ kind, mail, inApp, required, listed }) => {
    const wanted = values.text(`mail.${kind}`) as Frequency
    const isInList = listed && !required ? values.checked(`inApp.${kind}`) : inApp
    return wanted === mail && isInList === inApp ? [] : [{ kind, mail: wanted, inApp: isInList }]
  })

function PreferenceRow({ preference }: { preference: Preference }) {
  const { kind, mail, inApp, required, listed } = preference
  const label = kindLabel(kind)
  return (
    <tr>
      <th scope="row">
        {label}
        <p class="quiet">{kindDescription(kind)}</p>
      </th>
      <td data-title={t("notifications:email")}>
        <select name={`mail.${kind}`} aria-label={t("notifications:email-for", { kind: label })}>
          {FREQUENCIES.filter((frequency) => !required || frequency !== "never").map((frequency) => (
            <option key={frequency} value={frequency} selected={frequency === mail}>
              {t(`notifications:frequency.${frequency}`)}
            </option>
          ))}
        </select>
      </td>
      <td data-title={t("notifications:in-app")}>
        {listed ? (
          <input
            type="checkbox"
            name={`inApp.${kind}`}
            aria-label={t("notifications:in-app-for", { kind: label })}
            defaultChecked={inApp}
            disabled={required}
          />
        ) : (
          t("none")
        )}
      </td>
    </tr>
  )
}

/** Invitations come before there is an account. Only supervisors and staff have a team and scheduled reports. */
const isShown = (me: Me, { kind }: Preference) =>
  kind !== "invited" && ((kind !== "team_overdue" && kind !== "report_ready") || hasAccess(me, "group_admin"))

const ID = "notification-preferences"

/** How the user is notified of each kind. Links lead to it by its id. */
export default function NotificationPreferences() {
  const me = useMe()
  const { url } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  const preferences = useRead("/api/notification-preferences")
  const isLoaded = preferences.data !== undefined
  useEffect(() => {
    if (isLoaded && url.endsWith(`#${ID}`)) heading.current?.focus()
  }, [isLoaded, url])
  const change = useChange({
    call: (records: ReturnType<typeof changesOf>) => api.PUT("/api/notification-preferences", { body: { records } }),
    invalidates: ["/api/notification-preferences"],
    successMessage: t("notifications:preferences.saved"),
  })
  return (
    <section class="card" aria-labelledby={ID}>
      <h2 id={ID} ref={heading} tabIndex={-1}>
        {t("notifications:title")}
      </h2>
      <p class="quiet">{t("notifications:preferences.about")}</p>
      <Loaded query={preferences}>
        {({ records: all }) => {
          const records = all.filter((preference) => isShown(me, preference))
          return (
            <Form
              submit={t("save")}
              onSubmit={async (values) => {
                const changes = changesOf(values, records)
                if (changes.length > 0) await change.mutateAsync(changes)
              }}
            >
              <table class="preferences row-cards">
                <thead>
                  <tr>
                    <th scope="col">{t("notifications:kind")}</th>
                    <th scope="col">{t("notifications:email")}</th>
                    <th scope="col">{t("notifications:in-app")}</th>
                  </tr>
                </thead>
                <tbody>
                  {records.map((preference) => (
                    <PreferenceRow key={preference.kind} preference={preference} />
                  ))}
                </tbody>
              </table>
            </Form>
          )
        }}
      </Loaded>
    </section>
  )
}
