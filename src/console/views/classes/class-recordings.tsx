import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { CancelButton, ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { CLASS_QUERIES } from "./affected-queries.ts"
import { useAnyRegistrationId } from "./any-registration.ts"
import type { ClassTabProps } from "./class-tab.ts"

type Recording = Schemas["ClassRecording"]

const SECONDS_PER_MINUTE = 60

/** Adds the link of a recording on another site. */
function AddRecording({ id, zone, onClose }: { id: number; zone: string; onClose: () => void }) {
  const add = useChange({
    call: (body: Schemas["NewClassRecording"]) => api.POST("/api/class-recording/create", { body }),
    invalidates: CLASS_QUERIES,
  })
  return (
    <Dialog title={t("classes:recording.add")} onClose={onClose}>
      <Form
        submit={t("classes:recording.add")}
        onSubmit={async (values) => {
          const [minutes, recordedAt] = [values.number("duration"), values.optional("recordedAt")]
          await add.mutateAsync({
            classId: id,
            name: values.text("name"),
            url: values.text("url"),
            ...(minutes !== undefined && { duration: Math.round(minutes * SECONDS_PER_MINUTE) }),
            ...(recordedAt && { recordedAt }),
          })
          onClose()
        }}
        more={<CancelButton />}
      >
        <TextField name="name" label={t("classes:name")} required maxLength={100} />
        <TextField name="url" label={t("classes:recording.url")} type="url" required dir="ltr" maxLength={2000} />
        <TextField name="duration" label={t("classes:recording.minutes")} type="number" min={0} step="any" />
        <TextField
          name="recordedAt"
          label={t("classes:recording.at")}
          hint={t("classes:recording.at.hint", { zone })}
          type="datetime-local"
        />
      </Form>
    </Dialog>
  )
}

function Recordings({ registrationId }: { registrationId: number }) {
  const me = useMe()
  const [toRemove, setToRemove] = useState<Recording>()
  const webinar = useRead("/api/class/webinar/details", { params: { query: { registrationId } } })
  const remove = useChange({
    call: (id: number) => api.POST("/api/class-recording/delete", { body: { delete_ids: [id] } }),
    invalidates: CLASS_QUERIES,
  })
  return (
    <Loaded query={webinar}>
      {({ recordings }) =>
        recordings.length === 0 ? (
          <p class="empty">{t("classes:recordings.none")}</p>
        ) : (
          <>
            <Table
              caption={t("classes:tab.recordings")}
              rows={recordings}
              keyOf={({ id }) => id}
              columns={[
                {
                  key: "name",
                  title: t("classes:name"),
                  render: ({ name, url }) => (
                    <a href={url} rel="noreferrer">
                      {name}
                    </a>
                  ),
                },
                {
                  key: "on",
                  title: t("classes:recording.at"),
                  render: ({ recorded_on }) => <Time value={recorded_on} />,
                },
                {
                  key: "minutes",
                  title: t("classes:recording.minutes"),
                  numeric: true,
                  render: ({ duration }) => (duration ? number(Math.round(duration / SECONDS_PER_MINUTE)) : t("none")),
                },
                ...(hasAccess(me, "staff")
                  ? [
                      {
                        key: "remove",
                        title: t("classes:actions"),
                        render: (recording: Recording) => (
                          <button
                            type="button"
                            aria-label={t("classes:delete.one", { name: recording.name })}
                            onClick={() => setToRemove(recording)}
                          >
                            {t("delete")}
                          </button>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
            {toRemove && (
              <ConfirmDialog
                title={t("classes:recording.delete")}
                confirm={t("delete")}
                onClose={() => setToRemove(undefined)}
                onConfirm={() => remove.mutateAsync(toRemove.id)}
              >
                <p>{t("classes:recording.delete.text", { name: toRemove.name })}</p>
              </ConfirmDialog>
            )}
          </>
        )
      }
    </Loaded>
  )
}

export function ClassRecordings({ id, first }: ClassTabProps) {
  const me = useMe()
  const [isAdding, setIsAdding] = useState(false)
  const registration = useAnyRegistrationId(id)
  return (
    <>
      {hasAccess(me, "staff") && (
        <div class="actions">
          <button type="button" class="primary" onClick={() => setIsAdding(true)}>
            {t("classes:recording.add")}
          </button>
        </div>
      )}
      <Loaded query={registration}>
        {(registrationId) =>
          registrationId === null ? (
            <p class="empty">{t("classes:no-attendees")}</p>
          ) : (
            <Recordings registrationId={registrationId} />
          )
        }
      </Loaded>
      {isAdding && <AddRecording id={id} zone={first.timeZone} onClose={() => setIsAdding(false)} />}
    </>
  )
}
