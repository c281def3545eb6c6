import { useRef, useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { DataOf } from "../../../client/index.ts"
import { LANGUAGES } from "../../../lib/text/languages.ts"
import { announce } from "../../api/announce.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useEditableRecord, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Combobox } from "../../ui/combobox.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { ErrorMessage, failedTitle, Loaded } from "../../ui/error-message.tsx"
import { Form, Select, TextArea, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useLanguageName } from "../../ui/region-fields.tsx"
import { confirmLeave } from "../../ui/unsaved-changes.ts"
import { useUrlState } from "../../ui/url-state.ts"
import { kindDescription, kindLabel, type NotificationKind } from "./kinds.ts"
import { TemplatePreview } from "./template-preview.tsx"
import "./notifications.css"

type Template = DataOf<"/api/notification-template/{kind}", "get">

const TEMPLATE_QUERIES = ["/api/notification-template"] as const

/** Which text: for everyone or the members of a portal, in a language. */
interface Target {
  portalId?: number
  language: string
}

const targetOf = ({ portalId, language }: Template): Target => ({ ...(portalId && { portalId }), language })

/** Inserts a text at the cursor, as if it was typed. */
function insert(field: HTMLTextAreaElement, text: string) {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end")
  field.dispatchEvent(new Event("input", { bubbles: true }))
  field.focus()
}

function ResetButton({ template, onReset }: { template: Template; onReset: () => void }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const reset = useChange({
    call: () =>
      api.POST("/api/notification-template/{kind}/reset", {
        params: { path: { kind: template.kind } },
        body: targetOf(template),
      }),
    invalidates: TEMPLATE_QUERIES,
  })
  return (
    <>
      <button type="button" onClick={() => setIsConfirming(true)}>
        {t("notifications:reset")}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t("notifications:reset.title")}
          confirm={t("notifications:reset")}
          onConfirm={async () => {
            await reset.mutateAsync(undefined)
            onReset()
          }}
          onClose={() => setIsConfirming(false)}
        >
          <p>{t("notifications:reset.about")}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface TemplateFormProps {
  template: Template
  version: string
  refetch: () => Promise<unknown>
  onReset: () => Promise<unknown>
}

function TemplateForm({ template, version, refetch, onReset }: TemplateFormProps) {
  const { kind, variables } = template
  const [edits, setEdits] = useState<{ subject?: string; body?: string }>({})
  const text = { subject: template.subject, body: template.body, ...edits }
  const [testError, setTestError] = useState<unknown>()
  const body = useRef<HTMLDivElement>(null)
  const params = { path: { kind } }
  const save = useChange({
    call: () =>
      api.PUT("/api/notification-template/{kind}", {
        params,
        body: { ...targetOf(template), ...text },
        headers: { "If-Match": version },
      }),
    invalidates: TEMPLATE_QUERIES,
  })
  const sendTest = async () => {
    setTestError(undefined)
    try {
      const { data } = await api.POST("/api/notification-template/{kind}/test", {
        params,
        body: { ...targetOf(template), ...text },
      })
      announce(data.message, { isFromApi: true })
    } catch (failure) {
      setTestError(failure)
    }
  }
  return (
    <div class="template-editor">
      <Form
        submit={t("save")}
        onSubmit={async () => {
          await refetchOnConflict(() => save.mutateAsync(undefined), refetch)
          await refetch()
        }}
        more={
          <>
            <button type="button" onClick={sendTest}>
              {t("notifications:test")}
            </button>
            {template.isCustom && <ResetButton template={template} onReset={onReset} />}
          </>
        }
      >
        <ErrorMessage error={testError} />
        <TextField
          name="subject"
          label={t("notifications:subject")}
          dir="auto"
          defaultValue={template.subject}
          required
          maxLength={200}
          onInput={({ currentTarget }) => setEdits({ ...edits, subject: currentTarget.value })}
        />
        <div ref={body}>
          <TextArea
            name="body"
            label={t("notifications:body")}
            hint={t("notifications:body.hint")}
            dir="auto"
            rows={14}
            defaultValue={template.body}
            required
            maxLength={10_000}
            onInput={({ currentTarget }) => setEdits({ ...edits, body: currentTarget.value })}
          />
        </div>
        <fieldset class="variables">
          <legend>{t("notifications:variables")}</legend>
          {Object.keys(variables).map((name) => (
            <button
              key={name}
              type="button"
              dir="ltr"
              aria-label={t("notifications:variable.insert", { name })}
              onClick={() => {
                const field = body.current?.querySelector("textarea")
                if (field) insert(field, `{{${name}}}`)
              }}
            >
              {`{{${name}}}`}
            </button>
          ))}
        </fieldset>
      </Form>
      <TemplatePreview kind={kind} input={{ ...targetOf(template), ...text }} />
    </div>
  )
}

/** Selects the portal and the language of the text. Both stay as they are until unsaved changes are discarded. */
function TargetFields({ target }: { target: Target }) {
  const { change } = useUrlState()
  const nameOfLanguage = useLanguageName()
  const portal = useRead(
    "/api/portal/{id}",
    { params: { path: { id: target.portalId ?? 0 } } },
    { enabled: target.portalId !== undefined },
  )
  const tags = [...new Set([...LANGUAGES, target.language])]
  return (
    <search class="filters">
      <Select
        name="language"
        label={t("language")}
        options={tags.map((tag) => ({ value: tag, label: nameOfLanguage(tag) }))}
        value={target.language}
        onChange={(language, select) => {
          select.value = target.language
          confirmLeave(() => change({ language }))
        }}
      />
      <Combobox
        name="portal"
        label={t("notifications:portal")}
        placeholder={t("notifications:portal.all")}
        path="/api/portal/tabularlist"
        searchBy="name"
        toChoice={({ id, name }) => ({ id, name })}
        value={portal.data && { id: portal.data.id, name: portal.data.name }}
        onSelect={(selected) => {
          confirmLeave(() => change({ portal: selected?.id }))
          return false
        }}
      />
    </search>
  )
}

/** The text of a kind of notifications for a portal and a language, with a preview. */
export default function NotificationTemplate() {
  const kind = useRoute().params.kind as NotificationKind
  const { query } = useUrlState()
  const portalId = Number(query.portal) || undefined
  const template = useEditableRecord("/api/notification-template/{kind}", {
    params: {
      path: { kind },
      query: { ...(portalId && { portalId }), ...(query.language && { language: query.language }) },
    },
  })
  // Its fields keep the focus while another text loads.
  const latest = useRef(template.data?.record)
  if (template.data) latest.current = template.data.record
  const language = query.language ?? latest.current?.language
  const [resetCount, setResetCount] = useState(0)
  const reset = async () => {
    await template.refetch()
    setResetCount(resetCount + 1)
  }
  return (
    <Page
      title={failedTitle(template) ?? kindLabel(kind)}
      parent={{ href: "/console/settings/notifications", label: t("nav.notification-templates") }}
    >
      {latest.current && language && (
        <>
          <p class="quiet lead">
            {kindDescription(kind)}{" "}
            <Badge status={latest.current.isCustom ? "active" : "default"}>
              {t(latest.current.isCustom ? "notifications:customized" : "notifications:default")}
            </Badge>
          </p>
          <TargetFields target={{ ...(portalId && { portalId }), language }} />
        </>
      )}
      <Loaded query={template}>
        {({ record, version }) => (
          <TemplateForm
            key={`${record.language} ${record.portalId} ${resetCount}`}
            template={record}
            version={version}
            refetch={() => template.refetch()}
            onReset={reset}
          />
        )}
      </Loaded>
    </Page>
  )
}
