import { Play } from "lucide-preact"
import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { discardChanges } from "../../ui/unsaved-changes.ts"
import { readAudience } from "./audience-draft.ts"
import { type Rule, type RuleChanges, type RuleDraft, toRuleBody } from "./rule-body.ts"
import { RuleFields } from "./rule-fields.tsx"
import { useRulePreview } from "./rule-preview.tsx"
import { RULE_QUERIES } from "./rules.tsx"

function RuleForm({ rule, version, onSaved }: { rule: Rule; version: string; onSaved: () => Promise<unknown> }) {
  const [draft, setDraft] = useState<RuleDraft>(() => ({
    audience: readAudience(rule.audience ?? {}),
    courses: rule.courses,
    learningPaths: rule.learningPaths,
  }))
  const init = { params: { path: { id: rule.id } } }
  const change = useChange({
    call: (body: RuleChanges) =>
      api.PUT("/api/assignment-rule/{id}", { ...init, body, headers: { "If-Match": version } }),
    invalidates: RULE_QUERIES,
  })
  const { open, dialog } = useRulePreview()
  return (
    <>
      <Form
        submit={t("compliance:preview.open")}
        extraState={draft}
        isReady={draft.courses.length + draft.learningPaths.length > 0}
        onSubmit={async (values) => {
          const body = toRuleBody(values, draft)
          await open({ ...body, id: rule.id }, async () => {
            await refetchOnConflict(() => change.mutateAsync(body), onSaved)
            discardChanges()
            await onSaved()
          })
          return false
        }}
      >
        <RuleFields rule={rule} draft={draft} onChange={setDraft} />
      </Form>
      {dialog}
    </>
  )
}

/** Evaluates the rule for everyone now, not only at its next daily run. */
function RunRule({ rule }: { rule: Rule }) {
  const run = useChange({
    call: () => api.POST("/api/assignment-rule/{id}/run", { params: { path: { id: rule.id } } }),
    invalidates: RULE_QUERIES,
  })
  return (
    <>
      <button type="button" class="with-icon" disabled={run.isPending} onClick={() => run.mutate(undefined)}>
        <Play size={16} aria-hidden /> {t("compliance:rule.run")}
      </button>
      <ErrorMessage error={run.error} />
    </>
  )
}

/** An assignment rule: its fields, and the number of its people. */
export default function EditRule() {
  const id = Number(useRoute().params.id)
  const rule = useEditableRecord("/api/assignment-rule/{id}", { params: { path: { id } } })
  const parent = { href: "/console/rules", label: t("nav.rules") }
  return (
    <Loaded query={rule} parent={parent}>
      {({ record, version }) => (
        <Page title={record.name} parent={parent} actions={record.active && <RunRule rule={record} />}>
          <p class="quiet">
            {t("compliance:rule.people", { count: record.userCount, shown: number(record.userCount) })}
          </p>
          <RuleForm key={record.id} rule={record} version={version} onSaved={() => rule.refetch()} />
        </Page>
      )}
    </Loaded>
  )
}
