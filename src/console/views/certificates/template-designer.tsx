import { useMemo, useRef, useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import { MARGIN, qrSquares } from "../../../lib/files/qr-code.ts"
import { demoAt, textOf } from "../../../modules/certificates/certificate-labels.ts"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { useChange, useRead, useRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { download } from "../../ui/csv.ts"
import { Loaded, Problem } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { useUnsaved } from "../../ui/unsaved-changes.ts"
import { CodePanel, PagePanel, TextPanel } from "./designer-panels.tsx"
import { PageDrawing } from "./page-drawing.tsx"
import { type ScreenFonts, useScreenFonts } from "./screen-fonts.ts"
import { bodyOf, type DraftField, newField, type Template, useDraft } from "./template-draft.ts"
import "./designer.css"

type Lookup = readonly { db_value: string; display_value: string }[]

interface DesignerProps {
  id: number
  read: Template
  version: string
  readAnew: () => Promise<Template | undefined>
  keys: Lookup
  families: Lookup
  fonts: ScreenFonts
}

/** What fields print in a preview, as the API's own. */
function useWords(keys: Lookup) {
  const { academy } = useMe()
  return useMemo(() => {
    const custom = new Map(keys.map(({ db_value, display_value }) => [db_value.toLowerCase(), display_value]))
    const demo = { ...demoAt(Date.now()), custom }
    const names = new Map(keys.map(({ db_value, display_value }) => [db_value, display_value]))
    return {
      wordsOf: (field: DraftField) => textOf(field, demo, academy),
      nameOf: ({ key }: DraftField) => names.get(key) ?? key,
      code: { squares: qrSquares(`${location.origin}/certificate/${demo.code}`), margin: MARGIN },
    }
  }, [keys, academy])
}

function Designer({ id, read, version, readAnew, keys, families, fonts }: DesignerProps) {
  const { draft, change, undo, redo, isChanged, settle, forget } = useDraft(id, read)
  useUnsaved(isChanged, forget)
  const { wordsOf, nameOf, code } = useWords(keys)
  const [chosen, choose] = useState<number | "code">()
  const [newKey, setNewKey] = useState("custom_text")
  const adding = useRef<HTMLSelectElement>(null)
  const save = useChange({
    call: () =>
      api.PUT("/api/certificate_template/{id}", {
        params: { path: { id } },
        body: bodyOf(draft, read),
        headers: { "If-Match": version },
      }),
    changes: ["/api/certificate_templates"],
  })
  const preview = useChange({
    call: () => api.GET("/api/certificate_template/preview/{id}", { params: { path: { id } }, parseAs: "blob" }),
    changes: ["/api/course", "/api/user"],
  })
  const store = async () => {
    try {
      await save.mutateAsync(undefined)
    } catch {
      return
    }
    const saved = await readAnew()
    if (saved) settle(saved)
  }
  const show = async () => {
    try {
      download(await preview.mutateAsync(undefined), `${draft.name}.pdf`)
    } catch {
      // It stands above the page.
    }
  }
  const add = () => {
    const field = newField(newKey, newKey === "custom_text" ? t("certificates:text.default") : "", draft)
    change((draft) => ({ ...draft, fields: [...draft.fields, field] }))
    choose(field.uid)
  }
  const goToFields = () => document.querySelector<HTMLElement>(".panel select, .panel input")?.focus()
  const remove = (uid: number) => {
    change((draft) => ({ ...draft, fields: draft.fields.filter((field) => field.uid !== uid) }))
    choose(undefined)
    adding.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.target instanceof HTMLInputElement) return
    if (event.target instanceof HTMLTextAreaElement) return
    const step = event.key === "y" || (event.key.toLowerCase() === "z" && event.shiftKey) ? redo : undo
    if (!["z", "y"].includes(event.key.toLowerCase())) return
    event.preventDefault()
    step?.()
  }
  const field = draft.fields.find(({ uid }) => uid === chosen)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts of the buttons within
    <div class="designer" onKeyDown={press}>
      <div class="actions">
        <button type="button" class="primary" disabled={!isChanged || save.isPending} onClick={store}>
          {save.isPending ? t("working") : t("save")}
        </button>
        <button type="button" disabled={!undo} onClick={undo}>
          {t("certificates:undo")}
        </button>
        <button type="button" disabled={!redo} onClick={redo}>
          {t("certificates:redo")}
        </button>
        <button type="button" disabled={isChanged || preview.isPending} onClick={show}>
          {preview.isPending ? t("working") : t("certificates:preview")}
        </button>
        <span class="quiet" role="status">
          {isChanged ? t("certificates:unsaved") : ""}
        </span>
      </div>
      <Problem error={save.error ?? preview.error} />
      <p class="quiet" id="designer-help">
        {t("certificates:help")}
      </p>
      <div class="workbench">
        <div class="desk">
          <PageDrawing
            draft={draft}
            fonts={fonts}
            wordsOf={wordsOf}
            nameOf={nameOf}
            code={code}
            chosen={chosen}
            onChoose={choose}
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
          {chosen === "code" && <CodePanel draft={draft} onChange={change} />}
          <section class="card" aria-labelledby="designer-texts">
            <h2 id="designer-texts">{t("certificates:elements")}</h2>
            <div class="adding">
              <div class="field">
                <label for="designer-key">{t("certificates:text.new")}</label>
                <select
                  id="designer-key"
                  ref={adding}
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
              {draft.fields.map((one) => (
                <li key={one.uid}>
                  <button type="button" class="plain" aria-pressed={chosen === one.uid} onClick={() => choose(one.uid)}>
                    <bdi>{one.key === "custom_text" ? wordsOf(one) || nameOf(one) : nameOf(one)}</bdi>
                  </button>
                </li>
              ))}
              <li>
                <button type="button" class="plain" aria-pressed={chosen === "code"} onClick={() => choose("code")}>
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

/** A certificate template, drawn as it is printed, to be worked on. */
export default function CertificateTemplate() {
  const id = Number(useRoute().params.id)
  const found = useRecord("/api/certificate_template/{id}", { params: { path: { id } } })
  const keys = useRead("/api/certificate_template/keysLookup")
  const families = useRead("/api/certificate_template/fontFamilyLookup")
  const fonts = useScreenFonts()
  return (
    <Page
      title={found.data?.record.name ?? t("certificates:templates")}
      within={{ href: "/console/certificates", label: t("certificates:templates") }}
    >
      <Loaded of={found}>
        {({ record, version }) => (
          <Loaded of={keys}>
            {(keys) => (
              <Loaded of={families}>
                {(families) => (
                  <Loaded of={fonts}>
                    {(fonts) => (
                      <Designer
                        key={id}
                        id={id}
                        read={record}
                        version={version}
                        readAnew={async () => (await found.refetch()).data?.record}
                        keys={keys}
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
