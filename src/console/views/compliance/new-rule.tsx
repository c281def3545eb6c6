import { useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { type RuleBody, type RuleDraft, toRuleBody } from "./rule-body.ts"
import { RuleFields } from "./rule-fields.tsx"
import { useRulePreview } from "./rule-preview.tsx"
import { RULE_QUERIES } from "./rules.tsx"

/** A new assignment rule. */
export default function NewRule() {
  const me = useMe()
  const { route } = useLocation()
  const [draft, setDraft] = useState<RuleDraft>({
    // A group administrator's rules are limited to the group.
    audience: { isEveryone: !hasAccess(me, "staff"), match: "all", conditions: [] },
    courses: [],
    learningPaths: [],
  })
  const create = useChange({
    call: (body: RuleBody) => api.POST("/api/assignment-rule/create", { body }),
    invalidates: RULE_QUERIES,
  })
  const { open, dialog } = useRulePreview()
  return (
    <Page title={t("compliance:rule.new")} parent={{ href: "/console/rules", label: t("nav.rules") }}>
      <Form
        submit={t("compliance:preview.open")}
        extraState={draft}
        isReady={draft.courses.length + draft.learningPaths.length > 0}
        onSubmit={async (values) => {
          const groupId = values.number("groupId")
          const body = { ...toRuleBody(values, draft), ...(groupId && { groupId }) }
          await open(body, async () => {
            const { id } = await create.mutateAsync(body as RuleBody)
            route(`/console/rules/${id}`)
          })
          return false
        }}
      >
        <RuleFields draft={draft} onChange={setDraft} />
      </Form>
      {dialog}
    </Page>
  )
}
