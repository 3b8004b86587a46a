{{/* What everything of a release is called. */}}
{{- define "concord.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-concord" .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* By what pods are found: never changes. */}}
{{- define "concord.selector" -}}
app.kubernetes.io/name: concord
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "concord.labels" -}}
{{ include "concord.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* The host of the public address. */}}
{{- define "concord.host" -}}
{{- (urlParse (required "publicUrl: the address that people use" .Values.publicUrl)).hostname -}}
{{- end -}}
