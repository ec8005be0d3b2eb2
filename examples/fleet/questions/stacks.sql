SELECT recordings.build_id, levels.object AS task, min(levels.value) AS bytes_never_used
FROM levels JOIN recordings ON levels.recording = recordings.recording
WHERE levels.object_kind = 'stack never used'
GROUP BY recordings.build_id, levels.object ORDER BY task, build_id;
