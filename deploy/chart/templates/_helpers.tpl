{{- define "sideline.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "sideline.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* What finds the pods of one role: dict "root" $ "role" "web". It must never change. */}}
{{- define "sideline.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "sideline.secret" -}}
{{ .Values.existingSecret | default (include "sideline.name" .) }}
{{- end }}

{{- define "sideline.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The same for every pod: dict "root" $. */}}
{{- define "sideline.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: tmp
    emptyDir: {}
  - name: data
    emptyDir: {}
{{- with .root.Values.privateCa.configMap }}
  - name: private-ca
    configMap:
      name: {{ . }}
{{- end }}
{{- end }}

{{/* The same for every container: dict "root" $ "role" "web" "secret" "name". */}}
{{- define "sideline.container" -}}
image: {{ include "sideline.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  - name: ROLE
    value: {{ .role }}
  - name: BASE_DOMAIN
    value: {{ .root.Values.baseDomain | quote }}
  {{- range $name, $value := .root.Values.env }}
  - name: {{ $name }}
    value: {{ $value | toString | quote }}
  {{- end }}
  {{- if .root.Values.privateCa.configMap }}
  - name: NODE_EXTRA_CA_CERTS
    value: /etc/private-ca/{{ .root.Values.privateCa.key }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ .secret }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: data
    mountPath: /data
  {{- if .root.Values.privateCa.configMap }}
  - name: private-ca
    mountPath: /etc/private-ca
    readOnly: true
  {{- end }}
{{- end }}

{{/* Deployment, disruption budget and autoscaler of one role: dict "root" $ "role" "web" "of" .Values.web "port" 3000. */}}
{{- define "sideline.processes" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "sideline.name" .root }}-{{ .role }}
  labels:
    {{- include "sideline.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not .of.autoscaling.enabled }}
  replicas: {{ .of.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      {{- include "sideline.selector" . | nindent 6 }}
  strategy:
    {{- if eq .role "web" }}
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
    {{- else }}
    # No worker of the old version beside one of the new.
    type: Recreate
    {{- end }}
  template:
    metadata:
      labels:
        {{- include "sideline.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      annotations:
        # Changed settings make new pods.
        checksum/settings: {{ toJson (list .root.Values.env .root.Values.secrets) | sha256sum }}
        {{- with .of.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      {{- include "sideline.pod" . | nindent 6 }}
      # Draining takes 5 s (at most 15), what is in flight 25 s.
      terminationGracePeriodSeconds: 45
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "sideline.selector" . | nindent 14 }}
      {{- with .of.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .of.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .role }}
          {{- include "sideline.container" (dict "root" .root "role" .role "secret" (include "sideline.secret" .root)) | nindent 10 }}
          ports:
            - name: http
              containerPort: {{ .port }}
          resources:
            {{- toYaml .of.resources | nindent 12 }}
          startupProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 2
            failureThreshold: 90
          livenessProbe:
            httpGet:
              path: /healthz
              port: http
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet:
              path: /readyz
              port: http
            periodSeconds: 2
            timeoutSeconds: 4
            failureThreshold: 3
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "sideline.name" .root }}-{{ .role }}
  labels:
    {{- include "sideline.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  maxUnavailable: {{ .of.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "sideline.selector" . | nindent 6 }}
{{- if .of.autoscaling.enabled }}
{{- $least := int .of.autoscaling.minReplicas }}
{{- $most := int .of.autoscaling.maxReplicas }}
{{- if gt $least $most }}
{{- fail (printf "%s.autoscaling.minReplicas is %d and must not be above maxReplicas, which is %d." .role $least $most) }}
{{- end }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "sideline.name" .root }}-{{ .role }}
  labels:
    {{- include "sideline.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "sideline.name" .root }}-{{ .role }}
  minReplicas: {{ .of.autoscaling.minReplicas }}
  maxReplicas: {{ .of.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .of.autoscaling.cpuPercent }}
{{- end }}
{{- end }}

{{/* A secret of the given values: dict "root" $ "name" "…" "annotations" (dict …). */}}
{{- define "sideline.madeSecret" -}}
apiVersion: v1
kind: Secret
metadata:
  name: {{ .name }}
  labels:
    {{- include "sideline.labels" .root | nindent 4 }}
  {{- with .annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
type: Opaque
data:
  {{- range $name, $value := .root.Values.secrets }}
  {{ $name }}: {{ $value | b64enc }}
  {{- end }}
{{- end }}
