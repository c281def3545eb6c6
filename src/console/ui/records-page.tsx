import type { LucideIcon } from "lucide-preact"
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import type { ApiResponse, DataOf, ListPath, RecordOf } from "../../client/index.ts"
import type { GetPath, InitOf } from "../../client/types.ts"
import { refetchOnConflict } from "../api/conflict.ts"
import { useChange, useEditableRecord } from "../api/queries.ts"
import { t } from "../messages/messages.ts"
import { CancelButton, ConfirmDialog, Dialog } from "./dialog.tsx"
import { Loaded } from "./error-message.tsx"
import { Form, type Values } from "./form.tsx"
import { type Filter, Listing } from "./listing.tsx"
import { Page } from "./page.tsx"
import type { Column } from "./table.tsx"

/** A kind of record that is listed, created and changed in dialogs, and deleted. */
interface RecordKind<List extends ListPath, Detail extends GetPath, Body> {
  list: List
  record: Detail
  nameOf: (row: RecordOf<List>) => string
  /** The fields of the form. @param record undefined: a new one */
  fields: (record: DataOf<Detail, "get"> | undefined) => ComponentChildren
  toBody: (values: Values) => Body
  create: (body: Body) => Promise<ApiResponse<unknown>>
  change: (id: number, body: Body, headers: { "If-Match": string }) => Promise<ApiResponse<unknown>>
  remove: (delete_ids: number[]) => Promise<ApiResponse<unknown>>
  /** Path prefixes of the queries that a change affects. */
  invalidates: readonly string[]
}

/** The messages of a kind of record. */
interface RecordTexts {
  title: string
  new: string
  edit: string
  /** The title of the confirmation, such as "Delete locations?" */
  delete: string
  /** What the deletion does. */
  deleteHint: string
  empty: string
}

interface RecordsPageProps<List extends ListPath, Detail extends GetPath, Body> {
  kind: RecordKind<List, Detail, Body>
  texts: RecordTexts
  /** The icon of an empty list. */
  icon: LucideIcon
  /** The columns after the name. */
  columns: readonly Column<RecordOf<List>>[]
  /** Replaces parts of the first column. */
  nameColumn?: Partial<Column<RecordOf<List>>>
  filters?: readonly Filter[]
  /** A field before the list that selects what it has, such as a `UrlSelect`. */
  selector?: ComponentChildren
  /** Whether the user may create, change and delete. */
  canChange: boolean
  parent?: { href: string; label: string }
  /** Further buttons beside "New". */
  actions?: ComponentChildren
  /** Further buttons of a row. */
  rowActions?: (row: RecordOf<List>) => ComponentChildren
  /** Content above the list. */
  children?: ComponentChildren
  /** The address of a record's page, which replaces the dialog that edits it. */
  hrefOf?: (row: RecordOf<List>) => string
}

interface KindProps<List extends ListPath, Detail extends GetPath, Body> {
  kind: RecordKind<List, Detail, Body>
  title: string
  onClose: () => void
}

function NewRecord<List extends ListPath, Detail extends GetPath, Body>(props: KindProps<List, Detail, Body>) {
  const { kind, title, onClose } = props
  const create = useChange({ call: kind.create, invalidates: kind.invalidates })
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          await create.mutateAsync(kind.toBody(values))
          onClose()
        }}
        more={<CancelButton />}
      >
        {kind.fields(undefined)}
      </Form>
    </Dialog>
  )
}

function EditRecord<List extends ListPath, Detail extends GetPath, Body>(
  props: KindProps<List, Detail, Body> & { id: number },
) {
  const { kind, title, id, onClose } = props
  const editable = useEditableRecord(kind.record, { params: { path: { id } } } as unknown as InitOf<Detail, "get">)
  const change = useChange({
    call: ({ body, version }: { body: Body; version: string }) => kind.change(id, body, { "If-Match": version }),
    invalidates: kind.invalidates,
  })
  const save = async (body: Body, version: string) => {
    await refetchOnConflict(() => change.mutateAsync({ body, version }), editable.refetch)
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Loaded query={editable}>
        {({ record, version }) => (
          <Form submit={t("save")} onSubmit={(values) => save(kind.toBody(values), version)} more={<CancelButton />}>
            {kind.fields(record)}
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

const idOf = (row: unknown): number => (row as { id: number }).id

/** A page with a list of records, which are created and edited in dialogs. */
export function RecordsPage<List extends ListPath, Detail extends GetPath, Body>(
  props: RecordsPageProps<List, Detail, Body>,
) {
  type Row = RecordOf<List>
  const { kind, texts, icon, columns, filters = [], canChange, parent, actions, rowActions, children, hrefOf } = props
  const { selector } = props
  const [open, setOpen] = useState<{ type: "new" } | { type: "edit"; id: number } | { type: "delete"; rows: Row[] }>()
  const close = () => setOpen(undefined)
  const remove = useChange({ call: kind.remove, invalidates: kind.invalidates })
  const nameColumn: Column<Row> = {
    key: "name",
    title: t("name"),
    sort: "name",
    render: (row) => (hrefOf ? <a href={hrefOf(row)}>{kind.nameOf(row)}</a> : kind.nameOf(row)),
    ...props.nameColumn,
  }
  const actionColumn: Column<Row> = {
    key: "actions",
    title: t("actions"),
    render: (row) => (
      <div class="actions">
        {rowActions?.(row)}
        {!hrefOf && (
          <button type="button" onClick={() => setOpen({ type: "edit", id: idOf(row) })}>
            {t("edit")} <span class="unseen">{kind.nameOf(row)}</span>
          </button>
        )}
      </div>
    ),
  }
  const hasActions = canChange && (rowActions !== undefined || !hrefOf)
  return (
    <Page
      title={texts.title}
      {...(parent && { parent })}
      actions={
        canChange && (
          <>
            {actions}
            <button type="button" class="primary" onClick={() => setOpen({ type: "new" })}>
              {texts.new}
            </button>
          </>
        )
      }
    >
      {children}
      <Listing
        path={kind.list}
        caption={texts.title}
        columns={[nameColumn, ...columns, ...(hasActions ? [actionColumn] : [])]}
        keyOf={idOf}
        nameOf={kind.nameOf}
        empty={{
          icon,
          text: texts.empty,
          ...(canChange && { action: { label: texts.new, onClick: () => setOpen({ type: "new" }) } }),
        }}
        filters={filters}
        ownFilters={{ names: [], fields: selector }}
        {...(canChange && {
          actions: (rows: readonly Row[], clear: () => void) => (
            <>
              <button type="button" class="danger" onClick={() => setOpen({ type: "delete", rows: [...rows] })}>
                {t("delete")}
              </button>
              {open?.type === "delete" && (
                <ConfirmDialog
                  title={texts.delete}
                  confirm={t("delete")}
                  onConfirm={async () => {
                    await remove.mutateAsync(open.rows.map(idOf))
                    clear()
                  }}
                  onClose={close}
                >
                  <p>{open.rows.map(kind.nameOf).join(", ")}</p>
                  <p>{texts.deleteHint}</p>
                </ConfirmDialog>
              )}
            </>
          ),
        })}
      />
      {open?.type === "new" && <NewRecord kind={kind} title={texts.new} onClose={close} />}
      {open?.type === "edit" && <EditRecord kind={kind} title={texts.edit} id={open.id} onClose={close} />}
    </Page>
  )
}
