"""What trainers print, one each: the points in it. To teach the reader another, begin with a row here.

Those whose counters follow from words alone (``step 3``, ``epoch=0.5``) need nothing else; others have a row in
`bot/domain/metrics/trainers.py` too.
"""

import pytest

from tests.domain.metrics.reading import said

OUTPUTS: dict[str, tuple[str, list[tuple[str, float, float]]]] = {
    "Hugging Face 5": (
        "{'loss': '2.31', 'grad_norm': '1.02', 'epoch': '0.05'}\n{'eval_loss': '2.1', 'eval_runtime': '3.2', 'epoch': '0.1'}",
        [("loss", 0.05, 2.31), ("grad_norm", 0.05, 1.02), ("eval_loss", 0.1, 2.1)],
    ),
    "TRL, GRPO": (
        "{'loss': 0.0, 'num_tokens': 18211.0, 'completions/mean_length': 120.5, 'reward': 0.75, 'kl': 0.0004, 'epoch': 0.02}",
        [("loss", 0.02, 0.0), ("reward", 0.02, 0.75), ("kl", 0.02, 0.0004)],
    ),
    "TRL, DPO": (
        "{'loss': 0.6931, 'rewards/chosen': 0.01, 'rewards/margins': -0.03, 'logps/chosen': -210.5, 'epoch': 0.1}",
        [("loss", 0.1, 0.6931), ("rewards/chosen", 0.1, 0.01), ("rewards/margins", 0.1, -0.03)],
    ),
    "Lightning": (
        "Epoch 0:  50%|█████     | 5/10 [00:01<00:01,  4.5it/s, v_num=3, train_loss_step=1.250, val_loss=1.100]",
        [("train_loss_step", 5, 1.25), ("val_loss", 5, 1.1)],
    ),
    "Lightning, rich": (
        "Epoch 1/9 ━━━━━━━━━━━━━━ 10/10 0:00:01 • 0:00:00 9.1it/s v_num: 0.000 train_loss: 0.812",
        [("train_loss", 1, 0.812)],
    ),
    "litGPT": (
        "Epoch 1 | iter 20 step 5 | loss train: 1.234, val: n/a | iter time: 100.20 ms (step) remaining time: 0:10:00\n"
        "iter 100: val loss 1.1000, val time: 2000.00 ms",
        [("loss train", 5, 1.234), ("val loss", 100, 1.1)],
    ),
    "torchtune": (
        "1|20|Loss: 1.2345:   5%|▍         | 20/400 [00:10<03:10,  2.00it/s]\r"
        "1|21|Loss: 1.2000:   5%|▍         | 21/400 [00:10<03:09,  2.00it/s]",
        [("Loss", 20, 1.2345), ("Loss", 21, 1.2)],
    ),
    "torchtune, file": (
        "Step 20 | loss:1.2345 lr:2e-05 tokens_per_second_per_gpu:812.5 grad_norm:1.5",
        [("loss", 20, 1.2345), ("lr", 20, 2e-05), ("grad_norm", 20, 1.5)],
    ),
    "DeepSpeed": (
        "[2024-03-01 10:00:00,123] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[1e-05, 1e-05], mom=[(0.9, 0.95)]\n"
        "steps: 10 loss: 2.3100 iter time (s): 0.512 samples/sec: 31.250",
        [("lr", 10, 1e-05), ("loss", 10, 2.31)],
    ),
    "fairseq": (
        "2024-03-01 10:00:00 | INFO | train_inner | epoch 001:    100 / 1539 loss=12.31, ppl=5092.1, gnorm=2.1, loss_scale=128\n"
        "2024-03-01 10:09:00 | INFO | valid | epoch 001 | valid on 'valid' subset | loss 10.2 | ppl 891.1 | num_updates 1539",
        [("loss", 100, 12.31), ("ppl", 100, 5092.1), ("gnorm", 100, 2.1), ("valid loss", 1539, 10.2), ("valid ppl", 1539, 891.1)],
    ),
    "timm": (
        "Train: 0 [  50/1251 (  4%)]  Loss: 6.95 (6.96)  Time: 0.350s,  731.4/s  LR: 1.000e-06  Data: 0.010 (0.020)\n"
        "Test: [  10/97]  Time: 0.1 (0.2)  Loss:   2.500 (2.600)  Acc@1:  45.000 ( 44.100)",
        [("Loss", 50, 6.95), ("LR", 50, 1e-06), ("Test Loss", 50, 2.5), ("Test Acc@1", 50, 45.0)],
    ),
    "Ultralytics": (
        "      Epoch    GPU_mem   box_loss   cls_loss  Instances       Size\n"
        "\r        1/3      2.2G      1.234      2.345         12        640:  50%|█████     | 4/8 [00:01<00:01,  3.9it/s]"
        "\r        1/3      2.2G      1.200      2.300         12        640: 100%|██████████| 8/8 [00:02<00:00,  3.9it/s]\n"
        "                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|██████████| 4/4 [00:01<00:00]\n"
        "                   all        128        929      0.640      0.537      0.605      0.446\n"
        "                person        128        254      0.740      0.637      0.705      0.546\n"
        "      Epoch    GPU_mem   box_loss   cls_loss  Instances       Size\n"
        "        2/3      2.2G      1.100      2.200         12        640: 100%|██████████| 8/8 [00:02<00:00,  3.9it/s]",
        [
            ("box_loss", 1, 1.2), ("box_loss", 2, 1.1), ("cls_loss", 1, 2.3), ("cls_loss", 2, 2.2),
            ("metrics/precision(B)", 1, 0.64), ("metrics/recall(B)", 1, 0.537), ("metrics/mAP50(B)", 1, 0.605),
            ("metrics/mAP50-95(B)", 1, 0.446),
        ],
    ),
    "detectron2": (
        "[03/01 10:00:00 d2.utils.events]:  eta: 0:10:00  iter: 19  total_loss: 2.105  loss_cls: 1.012  time: 0.41  data_time: 0.01  "
        "lr: 0.00019981  max_mem: 3010M",
        [("total_loss", 19, 2.105), ("loss_cls", 19, 1.012), ("lr", 19, 0.00019981)],
    ),
    "mmdetection 2": (
        "2024-03-01 10:00:00,000 - mmdet - INFO - Epoch [1][50/7330]\tlr: 1.978e-03, eta: 1 day, 2:00:00, loss: 2.105",
        [("lr", 50, 0.001978), ("loss", 50, 2.105)],
    ),
    "OpenMMLab": (
        "03/01 10:00:00 - mmengine - INFO - Epoch(train)  [1][ 50/100]  lr: 1.0000e-02  eta: 0:10:00  time: 0.2  loss: 2.3012\n"
        "03/01 10:01:00 - mmengine - INFO - Epoch(val) [1][20/20]  accuracy/top1: 61.5000  data_time: 0.01",
        [("lr", 50, 0.01), ("loss", 50, 2.3012), ("val accuracy/top1", 50, 61.5)],
    ),
    "OpenMMLab, by iterations": (
        "03/01 10:00:00 - mmengine - INFO - Iter(train) [   50/40000]  lr: 9.9e-03  eta: 3:00:00  loss: 1.9512",
        [("lr", 50, 0.0099), ("loss", 50, 1.9512)],
    ),
    "PaddleDetection": (
        "[03/01 10:00:00] ppdet.engine INFO: Epoch: [0] [ 20/100] learning_rate: 0.000500 loss_xy: 1.1 loss: 4.512 eta: 0:10:00",
        [("learning_rate", 20, 0.0005), ("loss_xy", 20, 1.1), ("loss", 20, 4.512)],
    ),
    "PaddleClas": (
        "[2024/03/01 10:00:00] ppcls INFO: [Train][Epoch 1/20][Iter: 10/52]top1: 0.12500, CELoss: 4.61200, batch_cost: 0.3s",
        [("top1", 10, 0.125), ("CELoss", 10, 4.612)],
    ),
    "PaddleOCR": (
        "[2024/03/01 10:00:00] ppocr INFO: epoch: [1/500], global_step: 10, lr: 0.000100, acc: 0.125000, loss: 25.123000",
        [("lr", 10, 0.0001), ("acc", 10, 0.125), ("loss", 10, 25.123)],
    ),
    "PaddleNLP": (
        "[2024-03-01 10:00:00,000] [    INFO] - loss: 0.693147, learning_rate: 5e-05, global_step: 10, progress_or_epoch: 0.01",
        [("loss", 10, 0.693147), ("learning_rate", 10, 5e-05)],
    ),
    "LightGBM": (
        "[10]\ttraining's binary_logloss: 0.512\tvalid_1's binary_logloss: 0.523",
        [("training's binary_logloss", 10, 0.512), ("valid_1's binary_logloss", 10, 0.523)],
    ),
    "CatBoost": (
        "0:\tlearn: 0.6812000\ttest: 0.6815000\tbest: 0.6815000 (0)\ttotal: 50ms\tremaining: 5s\n"
        "10:\tlearn: 0.6012000\ttest: 0.6215000\tbest: 0.6215000 (10)\ttotal: 90ms\tremaining: 4s",
        [("learn loss", 0, 0.6812), ("learn loss", 10, 0.6012), ("test loss", 0, 0.6815), ("test loss", 10, 0.6215)],
    ),
    "spaCy": (
        "E    #       LOSS TOK2VEC  LOSS NER  ENTS_F  ENTS_P  ENTS_R  SCORE \n"
        "---  ------  ------------  --------  ------  ------  ------  ------\n"
        "  0       0          0.00     45.00    0.10    0.00    0.00    0.00\n"
        "  1     200         25.35    150.12   65.00   60.00   70.00    0.65",
        [
            ("LOSS TOK2VEC", 0, 0.0), ("LOSS TOK2VEC", 200, 25.35), ("LOSS NER", 0, 45.0), ("LOSS NER", 200, 150.12),
            ("ents f1", 0, 0.1), ("ents f1", 200, 65.0), ("ents precision", 0, 0.0), ("ents precision", 200, 60.0),
            ("ents recall", 0, 0.0), ("ents recall", 200, 70.0),
        ],
    ),
    "fastai": (
        "epoch     train_loss  valid_loss  accuracy  time    \n0         0.523100    0.612000    0.81      00:12   \n"
        "1         0.423100    0.512000    0.85      00:12   ",
        [
            ("train_loss", 0, 0.5231), ("train_loss", 1, 0.4231), ("valid_loss", 0, 0.612), ("valid_loss", 1, 0.512),
            ("accuracy", 0, 0.81), ("accuracy", 1, 0.85),
        ],
    ),
    "notebook of Hugging Face": (
        "Step\tTraining Loss\n1\t1.820100\n2\t2.291000", [("Training Loss", 1, 1.8201), ("Training Loss", 2, 2.291)],
    ),
    "JAX, clu": (
        "I0301 10:00:00.123456 140 logging_writer.py:48] [100] learning_rate=0.1, train_loss=2.31",
        [("learning_rate", 100, 0.1), ("train_loss", 100, 2.31)],
    ),
    "JAX, Flax": (
        "I0301 10:00:00.123456 140 train.py:147] epoch:  1, train_loss: 0.2101, train_accuracy: 93.60, test_loss: 0.0601",
        [("train_loss", 1, 0.2101), ("train_accuracy", 1, 93.6), ("test_loss", 1, 0.0601)],
    ),
    "JAX, MaxText": (
        "completed step: 10, seconds: 2.31, TFLOP/s/device: 112.1, Tokens/s/device: 3541.2, total_weights: 16384, loss: 8.412",
        [("loss", 10, 8.412)],
    ),
    "Stable-Baselines": (
        "| rollout/ |     |\n| ep_rew_mean | -21.4 |\n| time/ | |\n| total_timesteps | 2048 |\n| train/ | |\n| loss | 10.1 |\n-----------",
        [("ep_rew_mean", 2048, -21.4), ("loss", 2048, 10.1)],
    ),
    "CleanRL": ("global_step=128, episodic_return=[17.]", [("episodic_return", 128, 17.0)]),
    "ESPnet": (
        "[gpu1] 2024-03-01 10:00:00,000 (trainer:737) INFO: 2epoch:train:1-100batch: iter_time=0.1, loss_ctc=80.1, acc=0.4",
        [("loss_ctc", 100, 80.1), ("acc", 100, 0.4)],
    ),
    "OpenCLIP": (
        "2024-03-01,10:00:00 | INFO | Train Epoch: 0 [  25600/1000000 (3%)] Data (t): 0.1 Batch (t): 0.5, 512.0/s LR: 0.000010 "
        "Logit Scale: 14.286 Loss: 5.5123 (5.6000)",
        [("LR", 25600, 1e-05), ("Loss", 25600, 5.5123)],
    ),
    "NeMo": (
        "Epoch 0: :   2%|▏         | 100/5000 [01:00<50:00, v_num=0, reduced_train_loss=6.120, consumed_samples=25600.0]",
        [("reduced_train_loss", 100, 6.12)],
    ),
    "diffusers": (
        "Steps:   1%|          | 10/1000 [00:10<16:30,  1.0it/s, lr=1e-5, step_loss=0.121]",
        [("lr", 10, 1e-05), ("step_loss", 10, 0.121)],
    ),
    "Ignite": ("[1/10][  100/ 938]  11%|█ , loss=0.5123 [00:01<00:08]", [("loss", 100, 0.5123)]),
    "PyTorch quickstart": (
        "Epoch 1\n-------\nloss: 2.301000  [    0/60000]\nloss: 2.200000  [ 6400/60000]\nTest Error: \n Accuracy: 45.1%, Avg loss: 1.890000",
        [("loss", 0, 2.301), ("loss", 6400, 2.2), ("Accuracy", 6400, 45.1), ("Avg loss", 6400, 1.89)],
    ),
    "llm.c": (
        "step   10/19560 | loss 7.012345 (+1.2z)| norm 2.1 (-0.1z)| lr 4.29e-05 | 512.10 ms | 55.1% bf16 MFU | 1023000 tok/s\nval loss 7.1",
        [("loss", 10, 7.012345), ("lr", 10, 4.29e-05), ("val loss", 10, 7.1)],
    ),
    "speedruns of nanoGPT": (
        "step:10/1750 train_time:1200ms step_avg:120.00ms\nstep:125/1750 val_loss:4.3312 train_time:15000ms step_avg:120ms",
        [("val_loss", 125, 4.3312)],
    ),
    "verl": (
        "step:5 - actor/pg_loss:-0.012 - actor/grad_norm:0.5 - critic/rewards/mean:0.31",
        [("actor/pg_loss", 5, -0.012), ("actor/grad_norm", 5, 0.5), ("critic/rewards/mean", 5, 0.31)],
    ),
    "scikit-learn": ("Iteration 1, loss = 2.30100000\nIteration 2, loss = 1.901", [("loss", 1, 2.301), ("loss", 2, 1.901)]),
    "Chinese": (
        "2024-03-01 10:00:00 [训练] 轮次: 3/10 步数: 200 损失: 0.5123 学习率: 1e-4",
        [("损失", 200, 0.5123), ("学习率", 200, 1e-4)],
    ),
    "Chinese, by epochs": (
        "第3轮 训练损失=0.5 验证准确率=88.2%\n第 4 / 9 轮:训练集损失：0.45，验证集损失：0,55",
        [("训练损失", 3, 0.5), ("验证准确率", 3, 88.2), ("训练集损失", 4, 0.45), ("验证集损失", 4, 0.55)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("trainer", sorted(OUTPUTS))
def test_what_it_prints(trainer: str) -> None:
    text, points = OUTPUTS[trainer]
    assert said(text) == points
