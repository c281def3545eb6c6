import { Eye } from "lucide-preact"
import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { CourseImage } from "../../ui/course-image.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { toEmbedUrl } from "../../ui/media/embed-url.ts"
import { EmbeddedVideo, MediaPlayer } from "../../ui/media/media-player.tsx"
import { Page } from "../../ui/page.tsx"
import { QuestionImage } from "../../ui/question-image.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { safeUrl } from "../../ui/safe-url.ts"
import { useUrlState } from "../../ui/url-state.ts"
import { settingsOf } from "./module-course-settings.tsx"
import { ModuleIcon } from "./module-icon.tsx"
import "./courses.css"

type Module = Schemas["Course"]["modules"][number]

function VideoPreview({ id }: { id: number }) {
  const video = useRead("/api/modules/video/{id}", { params: { path: { id } } })
  return (
    <Loaded query={video}>
      {({ content, media, videoUrl }) => {
        const embedUrl = videoUrl ? toEmbedUrl(videoUrl) : undefined
        return (
          <>
            {media && <MediaPlayer media={media} />}
            {!media && embedUrl && <EmbeddedVideo src={embedUrl} />}
            {!media && videoUrl && !embedUrl && (
              <p>
                <a href={safeUrl(videoUrl)} target="_blank" rel="noreferrer">
                  {videoUrl}
                </a>
              </p>
            )}
            <RichText html={content} />
          </>
        )
      }}
    </Loaded>
  )
}

function QuizPreview({ id }: { id: number }) {
  const quiz = useRead("/api/modules/quiz/{id}", { params: { path: { id } } })
  return (
    <Loaded query={quiz}>
      {({ content, questions, draws }) => (
        <>
          <RichText html={content} />
          <ol class="reviewed">
            {questions.map((question) => (
              <li key={question.id} class="question">
                <p class="question-text">{question.text}</p>
                <QuestionImage url={question.imageUrl} alt={question.imageAlt} />
                <ul>
                  {question.options.map((option) => (
                    <li key={option.id}>{option.text}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
          {draws.length > 0 && (
            <p class="quiet">
              {t("courses:draws")}: {number(draws.reduce((sum, { count }) => sum + count, 0))}
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

/** A module whose page is its text: the learner's part starts with an enrollment. */
function TextPreview({ type, id }: { type: "text" | "assignment" | "scorm"; id: number }) {
  const module = useRead(`/api/modules/${type}/{id}`, { params: { path: { id } } })
  return (
    <Loaded query={module}>
      {({ content }) => (
        <>
          <RichText html={content} />
          {type !== "text" && <p class="quiet">{t(`courses:preview.${type}`)}</p>}
        </>
      )}
    </Loaded>
  )
}

function ModulePreview({ module: { type, module_id: id } }: { module: Module }) {
  if (type === "video") return <VideoPreview id={id} />
  if (type === "quiz") return <QuizPreview id={id} />
  return <TextPreview type={type} id={id} />
}

/** A course as its learners see it. Nothing is recorded. */
export default function CoursePreview() {
  const id = Number(useRoute().params.id)
  const { query } = useUrlState()
  const course = useRead("/api/course/{id}", { params: { path: { id } } })
  return (
    <Loaded query={course} parent={{ href: "/console/courses", label: t("courses:courses.title") }}>
      {({ name, content, instructions, featuredImageUrl, modules }) => {
        const index = modules.findIndex(({ module_id }) => String(module_id) === query.module)
        const open = modules[index]
        const next = modules[index + 1]
        const href = (module: Module) => `/console/courses/${id}/preview?module=${module.module_id}`
        return (
          <Page title={name} parent={{ href: `/console/courses/${id}`, label: t("courses:preview.back") }}>
            <p class="notice with-icon">
              <Eye size={18} aria-hidden /> {t("courses:preview.about")}
            </p>
            {modules.length === 0 && <EmptyState icon={Eye} text={t("courses:preview.empty")} />}
            <div class="side-by-side">
              <section class="card" aria-labelledby="previewed">
                <h2 id="previewed">{open?.name ?? t("courses:preview.overview")}</h2>
                {open ? (
                  <ModulePreview key={open.module_id} module={open} />
                ) : (
                  <>
                    <CourseImage url={featuredImageUrl} />
                    <RichText html={content} />
                    <RichText html={instructions} />
                  </>
                )}
                {next && (
                  <p>
                    <a class="button primary" href={href(next)}>
                      {t("courses:preview.next", { name: next.name })}
                    </a>
                  </p>
                )}
              </section>
              <nav class="card" aria-label={t("courses:tab.modules")}>
                <ol class="plain-list">
                  {modules.map((module, at) => (
                    <li key={module.module_id} class="module-row">
                      <ModuleIcon type={module.type} />
                      <span class="what">
                        <a href={href(module)} aria-current={at === index ? "true" : undefined}>
                          {number(at + 1)}. {module.name}
                        </a>{" "}
                        <span class="quiet">{settingsOf(module).join(" · ")}</span>
                      </span>
                    </li>
                  ))}
                </ol>
              </nav>
            </div>
          </Page>
        )
      }}
    </Loaded>
  )
}
