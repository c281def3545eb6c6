import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextArea } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"

const LISTS = ["blocked", "allowed"] as const

/** Entries are separated by lines, spaces, commas or semicolons. */
const toEntries = (text: string) => text.split(/[\s,;]+/).filter(Boolean)

/** The email addresses and domains that are accepted in the academy, or also in a portal. */
export function EmailRuleLists({ portalId }: { portalId?: number }) {
  const canChange = hasAccess(useMe(), "admin")
  const ofPortal = portalId === undefined ? {} : { portalId }
  const editable = useEditableRecord("/api/user/getBlockedEmailsAndDomains", { params: { query: ofPortal } })
  const change = useChange({
    call: ({ version, ...lists }: Record<(typeof LISTS)[number], string[]> & { version: string }) =>
      api.PUT("/api/user/blockedEmailsAndDomains", {
        body: { ...ofPortal, ...lists },
        headers: { "If-Match": version },
      }),
    invalidates: ["/api/user/getBlockedEmailsAndDomains"],
  })
  return (
    <Loaded query={editable}>
      {({ record, version }) => (
        <Form
          submit={t("save")}
          isReady={canChange}
          onSubmit={(values) => {
            const [blocked, allowed] = [toEntries(values.text("blocked")), toEntries(values.text("allowed"))]
            return refetchOnConflict(() => change.mutateAsync({ blocked, allowed, version }), editable.refetch)
          }}
        >
          <p class="quiet">{t("organizations:emails.hint")}</p>
          {LISTS.map((list) => (
            <TextArea
              key={list}
              name={list}
              label={t(`organizations:emails.${list}`)}
              hint={t(`organizations:emails.${list}.hint`)}
              defaultValue={record[list].join("\n")}
              rows={8}
              dir="ltr"
              spellcheck={false}
              readOnly={!canChange}
            />
          ))}
        </Form>
      )}
    </Loaded>
  )
}

export default function EmailRules() {
  return (
    <Page title={t("organizations:emails")}>
      <EmailRuleLists />
    </Page>
  )
}
