import { useMemo, useRef, useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import { MARGIN, qrModules } from "../../../lib/files/qr-code.ts"
import { sampleData, textOf } from "../../../modules/certificates/certificate-text.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useMe } from "../../api/me.tsx"
import { useChange, useEditableRecord, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { download } from "../../ui/csv.ts"
import { ErrorMessage, failedTitle, Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { useUnsavedChanges } from "../../ui/unsaved-changes.ts"
import { CodePanel, PagePanel, TextPanel } from "./designer-panels.tsx"
import { PageDrawing } from "./page-drawing.tsx"
import { type ScreenFonts, useScreenFonts } from "./screen-fonts.ts"
import { type DraftField, newField, type Template, toTemplateBody, useDraft } from "./template-draft.ts"
import "./designer.css"

type Lookup = readonly { db_value: string; display_value: string }[]

interface DesignerProps {
  id: number
  stored: Template
  version: string
  refetch: () => Promise<Template | undefined>
  /** Its version changes in a moment. */
  isRefetching: boolean
  keys: Lookup
  families: Lookup
  fonts: ScreenFonts
}

/** The names of the API's own keys are English. */
const BUILT_IN_KEYS = new Set([
  "student_first_name",
  "student_last_name",
  "student_full_name",
  "course_name",
  "issue_date",
  "expiry_date",
  "instructor_name",
  "certificate_code",
  "course_credit",
  "custom_text",
])

/** The keys of the API by name, and the academy's name, which its lookup does not have. */
const toNamedKeys = (keys: Lookup): Lookup => [
  ...keys.map(({ db_value, display_value }) => ({
    db_value,
    display_value: BUILT_IN_KEYS.has(db_value) ? t(`certificates:key.${db_value}`) : display_value,
  })),
  { db_value: "academy_name", display_value: t("certificates:academy-name") },
]

/** Sample texts for the fields, as in the preview of the API. */
function useSampleTexts(keys: Lookup) {
  const { academy } = useMe()
  return useMemo(() => {
    const custom = new Map(keys.map(({ db_value, display_value }) => [db_value.toLowerCase(), display_value]))
    const sample = { ...sampleData(Date.now()), custom }
    const names = new Map(keys.map(({ db_value, display_value }) => [db_value, display_value]))
    return {
      textFor: (field: DraftField) => textOf(field, sample, academy),
      nameOf: ({ key }: DraftField) => names.get(key) ?? key,
      code: { squares: qrModules(`${location.origin}/certificate/${sample.code}`), margin: MARGIN },
    }
  }, [keys, academy])
}

function Designer({ id, stored, version, refetch, isRefetching, keys, families, fonts }: DesignerProps) {
  const { draft, change, undo, redo, isChanged, markSaved, discard } = useDraft(id, stored)
  useUnsavedChanges(isChanged, discard)
  const { textFor, nameOf, code } = useSampleTexts(keys)
  const [selected, setSelected] = useState<number | "code">()
  const [newKey, setNewKey] = useState("custom_text")
  const newKeySelect = useRef<HTMLSelectElement>(null)
  const save = useChange({
    call: () =>
      api.PUT("/api/certificate_template/{id}", {
        params: { path: { id } },
        body: toTemplateBody(draft, stored),
        headers: { "If-Match": version },
      }),
    invalidates: ["/api/certificate_templates"],
  })
  const preview = useChange({
    call: () => api.GET("/api/certificate_template/preview/{id}", { params: { path: { id } }, parseAs: "blob" }),
    invalidates: ["/api/course", "/api/user"],
  })
  const isSaving = save.isPending || isRefetching
  const saveDraft = async () => {
    try {
      await refetchOnConflict(() => save.mutateAsync(undefined), refetch)
    } catch {
      return
    }
    const saved = await refetch()
    if (saved) markSaved(draft, saved)
  }
  const downloadPreview = async () => {
    try {
      download(await preview.mutateAsync(undefined), `${draft.name}.pdf`)
    } catch {
      // `preview.error` is shown above.
    }
  }
  const add = () => {
    const field = newField(newKey, newKey === "custom_text" ? t("certificates:text.default") : "", draft)
    change((draft) => ({ ...draft, fields: [...draft.fields, field] }))
    setSelected(field.uid)
  }
  const goToFields = () => document.querySelector<HTMLElement>(".panel select, .panel input")?.focus()
  const remove = (uid: number) => {
    change((draft) => ({ ...draft, fields: draft.fields.filter((field) => field.uid !== uid) }))
    setSelected(undefined)
    newKeySelect.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return
    if (event.target instanceof HTMLTextAreaElement) return
    const step = event.key === "y" || (event.key.toLowerCase() === "z" && event.shiftKey) ? redo : undo
    if (!["z", "y"].includes(event.key.toLowerCase())) return
    event.preventDefault()
    step?.()
  }
  const field = draft.fields.find(({ uid }) => uid === selected)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts of the buttons within
    <div class="designer" onKeyDown={onKeyDown}>
      <div class="actions">
        <button type="button" class="primary" disabled={!isChanged || isSaving} onClick={saveDraft}>
          {isSaving ? t("working") : t("save")}
        </button>
        <button type="button" disabled={!undo} onClick={undo}>
          {t("certificates:undo")}
        </button>
        <button type="button" disabled={!redo} onClick={redo}>
          {t("certificates:redo")}
        </button>
        <button type="button" disabled={isChanged || preview.isPending} onClick={downloadPreview}>
          {preview.isPending ? t("working") : t("certificates:preview")}
        </button>
        <span class="quiet" role="status">
          {isChanged ? t("certificates:unsaved") : ""}
        </span>
      </div>
      <ErrorMessage error={save.error ?? preview.error} />
      <p class="quiet" id="designer-help">
        {t("certificates:help")}
      </p>
      <div class="workbench">
        <div class="desk">
          <PageDrawing
            draft={draft}
            fonts={fonts}
            textFor={textFor}
            nameOf={nameOf}
            code={code}
            selected={selected}
            onSelect={setSelected}
            onChange={change}
            onRemove={remove}
            onEnter={goToFields}
          />
        </div>
        <div class="panels">
          {field && (
            <TextPanel
              key={field.uid}
              field={field}
              page={draft}
              name={nameOf(field)}
              keys={keys}
              families={families}
              onChange={change}
              onRemove={() => remove(field.uid)}
            />
          )}
          {selected === "code" && <CodePanel draft={draft} onChange={change} />}
          <section class="card" aria-labelledby="designer-texts">
            <h2 id="designer-texts">{t("certificates:elements")}</h2>
            <div class="adding">
              <div class="field">
                <label for="designer-key">{t("certificates:text.new")}</label>
                <select
                  id="designer-key"
                  ref={newKeySelect}
                  value={newKey}
                  onChange={(event) => setNewKey(event.currentTarget.value)}
                >
                  {keys.map(({ db_value, display_value }) => (
                    <option key={db_value} value={db_value}>
                      {display_value}
                    </option>
                  ))}
                </select>
              </div>
              <button type="button" onClick={add}>
                {t("certificates:text.add")}
              </button>
            </div>
            <ul class="texts">
              {draft.fields.map((element) => (
                <li key={element.uid}>
                  <button
                    type="button"
                    class="plain"
                    aria-pressed={selected === element.uid}
                    onClick={() => setSelected(element.uid)}
                  >
                    <bdi>{element.key === "custom_text" ? textFor(element) || nameOf(element) : nameOf(element)}</bdi>
                  </button>
                </li>
              ))}
              <li>
                <button
                  type="button"
                  class="plain"
                  aria-pressed={selected === "code"}
                  onClick={() => setSelected("code")}
                >
                  {t("certificates:code")}
                </button>
              </li>
            </ul>
          </section>
          <PagePanel draft={draft} onChange={change} />
        </div>
      </div>
    </div>
  )
}

/** The designer of a certificate template. */
export default function CertificateTemplate() {
  const id = Number(useRoute().params.id)
  const template = useEditableRecord("/api/certificate_template/{id}", { params: { path: { id } } })
  const keys = useRead("/api/certificate_template/keysLookup")
  const namedKeys = useMemo(() => toNamedKeys(keys.data ?? []), [keys.data])
  const families = useRead("/api/certificate_template/fontFamilyLookup")
  const fonts = useScreenFonts()
  return (
    <Page
      title={failedTitle(template) ?? template.data?.record.name ?? t("certificates:templates")}
      parent={{ href: "/console/certificates", label: t("certificates:templates") }}
    >
      <Loaded query={template}>
        {({ record, version }) => (
          <Loaded query={keys}>
            {() => (
              <Loaded query={families}>
                {(families) => (
                  <Loaded query={fonts}>
                    {(fonts) => (
                      <Designer
                        key={id}
                        id={id}
                        stored={record}
                        version={version}
                        isRefetching={template.isFetching}
                        refetch={async () => (await template.refetch()).data?.record}
                        keys={namedKeys}
                        families={families}
                        fonts={fonts}
                      />
                    )}
                  </Loaded>
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
